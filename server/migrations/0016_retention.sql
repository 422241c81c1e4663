-- Captures that no row names any more are removed, those of old jobs (see server/src/tasks/retention.rs). Looking for rows
-- that name one must not read them all.
CREATE INDEX results_by_current_capture ON results (current_capture_id);
CREATE INDEX results_by_baseline_capture ON results (baseline_capture_id);
CREATE INDEX takes_by_capture ON takes (capture_id);
CREATE INDEX baselines_by_capture ON baselines (capture_id);
CREATE INDEX baseline_history_by_capture ON baseline_history (capture_id);
CREATE INDEX captures_by_time ON captures (captured_at_ms);
CREATE INDEX jobs_by_end ON jobs (finished_at_ms);

-- Blobs that rows named which are removed, and when the last of these was: other rows may still name them.
CREATE TABLE released_blobs (
    blob TEXT PRIMARY KEY,
    released_at_ms BIGINT NOT NULL
);
CREATE INDEX released_blobs_by_time ON released_blobs (released_at_ms);
