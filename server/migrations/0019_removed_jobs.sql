-- When a job was removed: from then on it does not exist for anybody, and its rows go a slice at a time (see
-- server/src/tasks/retention.rs).
ALTER TABLE jobs ADD COLUMN removed_at_ms BIGINT;
CREATE INDEX jobs_removed ON jobs (removed_at_ms) WHERE removed_at_ms IS NOT NULL;
