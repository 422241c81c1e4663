-- How many captures of a job may be under way at once, over all servers, and when one began last: the next page is chosen
-- by both.
ALTER TABLE jobs ADD COLUMN concurrency BIGINT NOT NULL DEFAULT 4;
ALTER TABLE jobs ADD COLUMN last_capture_at_ms BIGINT;
