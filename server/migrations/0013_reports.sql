-- How a capture was made, as JSON; none for what clients upload. `truncated` is 1 where the page has more than the picture shows.
ALTER TABLE captures ADD COLUMN report TEXT;
ALTER TABLE captures ADD COLUMN truncated BIGINT NOT NULL DEFAULT 0;
