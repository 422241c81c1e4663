-- Jobs whose captures the client makes and uploads. Their results begin in the stage `upload`, go on to `ingest` when the
-- job is finalized, and from there like all others.
CREATE TABLE client_jobs (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id),
    branch TEXT NOT NULL,
    commit_sha TEXT NOT NULL,
    finalize_by_ms BIGINT NOT NULL
);

-- One page and variant is one upload, whatever its origin.
CREATE INDEX results_by_page ON results (job_id, page_key, variant_name);
-- What a job has waiting and under way in a stage, without looking at all of its results.
CREATE INDEX results_by_job_stage ON results (job_id, stage, enqueued_at_ms, position);
