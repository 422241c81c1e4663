-- Every capture that the service took of a page for one result: of the test origin, and in a live job of the base origin
-- (`side` is `test` or `base`), counted from 1.
CREATE TABLE takes (
    result_id TEXT NOT NULL REFERENCES results (id),
    side TEXT NOT NULL,
    number BIGINT NOT NULL,
    capture_id TEXT NOT NULL REFERENCES captures (id),
    PRIMARY KEY (result_id, side, number)
);

-- Which sides are to be captured again: `test`, `base` or `both`; while its stage is `capture`, NULL means for the first time.
ALTER TABLE results ADD COLUMN recapture TEXT;
-- Why the last of these captures failed: then there is no further one.
ALTER TABLE results ADD COLUMN recapture_error TEXT;

-- How the captures agreed: `steady`, `flaky`, `unstable` or `unconfirmed`; NULL for uploads and where nobody asked.
ALTER TABLE results ADD COLUMN agreement TEXT;
-- The same in a sentence, where there is something to tell.
ALTER TABLE results ADD COLUMN agreement_note TEXT;
-- Of an unstable page, the captures that disagree and where, as JSON.
ALTER TABLE results ADD COLUMN disagreements TEXT;

-- Of the last runs of the page and variant in its project, this one included: how many it is known of, and how many were
-- flaky or unstable.
ALTER TABLE results ADD COLUMN known_runs BIGINT;
ALTER TABLE results ADD COLUMN flaky_runs BIGINT;
-- The job's project, for results whose agreement is known.
ALTER TABLE results ADD COLUMN project_id TEXT;
CREATE INDEX results_by_project_page ON results (project_id, page_key, variant_name, id) WHERE project_id IS NOT NULL;
