-- What lay in the bucket for an upload when its job was finalized: links to a bucket cannot be taken back, so what is put
-- there later must not be taken for it. Empty where uploads come through the service.
ALTER TABLE results ADD COLUMN screenshot_revision TEXT;
ALTER TABLE results ADD COLUMN dom_revision TEXT;
