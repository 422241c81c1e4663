-- Jobs that could not be removed, and when that was last tried: rounds pass them by and try them again in turns (see
-- server/src/tasks/retention/jobs.rs). A table of its own: what keeps a job from being removed may keep its row from being
-- written to.
CREATE TABLE stuck_jobs (
    job_id TEXT PRIMARY KEY REFERENCES jobs (id),
    tried_at_ms BIGINT NOT NULL
);
CREATE INDEX stuck_jobs_by_time ON stuck_jobs (tried_at_ms, job_id);
