-- Where events are sent. Secrets are sealed (see server/src/vault.rs).
CREATE TABLE webhooks (
    id TEXT PRIMARY KEY,
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    url TEXT NOT NULL,
    -- The events it wants, as JSON.
    events TEXT NOT NULL,
    -- Only jobs of the project with this name; none: of every project.
    project_name TEXT,
    description TEXT,
    enabled BIGINT NOT NULL,
    disabled_reason TEXT,
    -- Since when nothing got through; none while it does.
    failing_since_ms BIGINT,
    secret TEXT NOT NULL,
    -- The secret before the last rotation, and until when it signs too.
    former_secret TEXT,
    former_secret_until_ms BIGINT,
    created_at_ms BIGINT NOT NULL,
    updated_at_ms BIGINT NOT NULL
);
CREATE INDEX webhooks_by_organization ON webhooks (organization_id, id);

-- One event on its way to one webhook, and what came of it: written in the transaction of what it tells of. It outlives its
-- webhook without a reference to it, so that deleting one never stops a job from ending.
CREATE TABLE webhook_deliveries (
    id TEXT PRIMARY KEY,
    webhook_id TEXT NOT NULL,
    -- The same in every attempt and redelivery, for all webhooks that get the event.
    event_id TEXT NOT NULL,
    event TEXT NOT NULL,
    body TEXT NOT NULL,
    -- pending, delivered, failed
    status TEXT NOT NULL,
    error TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    -- What came of each attempt, as JSON.
    attempt_log TEXT NOT NULL DEFAULT '[]',
    next_attempt_at_ms BIGINT,
    -- Until then an attempt is under way somewhere.
    leased_until_ms BIGINT,
    created_at_ms BIGINT NOT NULL
);
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (status, next_attempt_at_ms);
CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (created_at_ms);
