-- What the list of jobs says of a job besides its project, a line each (see server/src/jobs/start.rs: told), for who searches it.
-- Jobs from before have none, and are searched by all that was said of their run.
ALTER TABLE jobs ADD COLUMN told TEXT;
