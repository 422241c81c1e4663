-- The label of the changes that a result shows: the same on every result that one decision can settle.
ALTER TABLE results ADD COLUMN change_group TEXT;
CREATE INDEX results_by_group ON results (job_id, change_group);
