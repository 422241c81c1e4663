-- Gate credentials, sealed (see server/src/gate/vault.rs), and when a project runs by itself next.
ALTER TABLE projects ADD COLUMN test_auth TEXT;
ALTER TABLE projects ADD COLUMN base_auth TEXT;
-- The day of a weekly schedule, 0 for Monday to 6 for Sunday.
ALTER TABLE projects ADD COLUMN schedule_weekday BIGINT;
-- The next slot; none without a schedule. Whoever moves it on has claimed the slot.
ALTER TABLE projects ADD COLUMN next_run_at_ms BIGINT;
CREATE INDEX projects_by_slot ON projects (next_run_at_ms);
