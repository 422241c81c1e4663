-- A page's runs are looked up by the runs of its project, newest first.
CREATE INDEX jobs_by_project ON jobs (project_id, id);
