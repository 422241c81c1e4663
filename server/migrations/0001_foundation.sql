-- One text for SQLite and PostgreSQL: TEXT, BIGINT and DOUBLE PRECISION alone. Ids are UUIDs (v7) as text, times are
-- milliseconds since 1970, flags are 0 or 1, and structured values are JSON as text.

CREATE TABLE organizations (
    id TEXT PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at_ms BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    secret_hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    expires_at_ms BIGINT,
    revoked_at_ms BIGINT,
    last_used_at_ms BIGINT
);

CREATE TABLE sessions (
    token_hash TEXT PRIMARY KEY,
    key_id TEXT NOT NULL REFERENCES api_keys (id),
    created_at_ms BIGINT NOT NULL,
    expires_at_ms BIGINT NOT NULL
);

CREATE TABLE projects (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    name TEXT NOT NULL,
    config TEXT NOT NULL,
    baseline_policy TEXT NOT NULL,
    schedule TEXT,
    schedule_hour_utc BIGINT,
    schedule_key_id TEXT,
    last_scheduled_run_at_ms BIGINT,
    intent TEXT,
    environment TEXT,
    base_environment TEXT,
    baseline_version TEXT NOT NULL,
    baseline_invalidated_at_ms BIGINT,
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL,
    last_run_at_ms BIGINT,
    last_job_id TEXT,
    UNIQUE (organization_id, name)
);

-- A job keeps the configuration it was started with.
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    project_id TEXT REFERENCES projects (id),
    project_name TEXT,
    config TEXT NOT NULL,
    comparison_mode TEXT NOT NULL,
    status TEXT NOT NULL,
    summary_status TEXT NOT NULL,
    error TEXT,
    run_context TEXT,
    intent TEXT,
    environment TEXT,
    base_environment TEXT,
    auto_approve BIGINT NOT NULL,
    baseline_version TEXT,
    run_summary TEXT,
    started_by TEXT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    finished_at_ms BIGINT,
    enqueued_at_ms BIGINT,
    worker_id TEXT,
    attempts BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX jobs_by_organization ON jobs (organization_id, id);
CREATE INDEX jobs_by_status ON jobs (status);

-- A capture: screenshot, DOM tree and saved page, each a blob. Rows are never changed.
CREATE TABLE captures (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    url TEXT NOT NULL,
    screenshot_blob TEXT NOT NULL,
    thumbnail_blob TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    dom_blob TEXT,
    page_blob TEXT,
    browser TEXT NOT NULL,
    captured_at_ms BIGINT NOT NULL
);

-- One page in one variant within a job. `stage` says what is to be done next: capture, compare, done.
CREATE TABLE results (
    id TEXT PRIMARY KEY,
    job_id TEXT NOT NULL REFERENCES jobs (id),
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    position BIGINT NOT NULL,
    url TEXT NOT NULL,
    page_key TEXT NOT NULL,
    label TEXT NOT NULL,
    variant_name TEXT NOT NULL,
    stage TEXT NOT NULL,
    outcome TEXT NOT NULL,
    status TEXT NOT NULL,
    error_message TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    enqueued_at_ms BIGINT,
    worker_id TEXT,
    current_capture_id TEXT REFERENCES captures (id),
    baseline_capture_id TEXT REFERENCES captures (id),
    pinned_version BIGINT NOT NULL DEFAULT 0,
    promoted_version BIGINT,
    is_new_baseline BIGINT NOT NULL DEFAULT 0,
    changed BIGINT NOT NULL DEFAULT 0,
    diff_percentage DOUBLE PRECISION,
    visual_match_score DOUBLE PRECISION,
    comparison TEXT,
    mask_blob TEXT,
    diff_blob TEXT,
    dom_skip_reason TEXT,
    findings TEXT,
    verdict TEXT,
    decision TEXT,
    triage_status TEXT NOT NULL,
    triaged_at_ms BIGINT,
    triaged_by TEXT,
    triaged_verdict TEXT,
    triage_note TEXT,
    UNIQUE (job_id, url, variant_name)
);
CREATE INDEX results_by_job ON results (job_id, position);
CREATE INDEX results_by_stage ON results (stage, worker_id, enqueued_at_ms);

-- The pointer to a page's approved capture. `version` counts every move of the pointer; a pointer without a capture
-- says that the page has none at present.
CREATE TABLE baselines (
    project_id TEXT NOT NULL REFERENCES projects (id),
    page_key TEXT NOT NULL,
    variant_name TEXT NOT NULL,
    version BIGINT NOT NULL,
    capture_id TEXT REFERENCES captures (id),
    baseline_version TEXT NOT NULL,
    moved_at_ms BIGINT NOT NULL,
    PRIMARY KEY (project_id, page_key, variant_name)
);

CREATE TABLE baseline_history (
    project_id TEXT NOT NULL REFERENCES projects (id),
    page_key TEXT NOT NULL,
    variant_name TEXT NOT NULL,
    version BIGINT NOT NULL,
    capture_id TEXT REFERENCES captures (id),
    action TEXT NOT NULL,
    job_id TEXT,
    actor TEXT NOT NULL,
    moved_at_ms BIGINT NOT NULL,
    PRIMARY KEY (project_id, page_key, variant_name, version)
);

CREATE TABLE audit (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    happened_at_ms BIGINT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX audit_by_organization ON audit (organization_id, happened_at_ms);

-- Processes that do work. A row is alive while its heartbeat is fresh; work held by a dead one is taken up again.
CREATE TABLE workers (
    id TEXT PRIMARY KEY,
    started_at_ms BIGINT NOT NULL,
    heartbeat_at_ms BIGINT NOT NULL
);
