-- When a comparison of a job was last begun: the next page that is compared is chosen by it, as the next capture is.
ALTER TABLE jobs ADD COLUMN last_comparison_at_ms BIGINT;
-- What waits for a place, job by job: finding whose turn it is must not take the longer, the more of one job wait.
CREATE INDEX results_to_compare ON results (job_id, position) WHERE stage = 'compare' AND worker_id IS NULL;
