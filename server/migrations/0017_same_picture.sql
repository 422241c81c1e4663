-- 1 where a capture looks to the pixel as its baseline, whatever the bytes of its file: approving a job leaves such a
-- baseline where it is. Of older results it is not known.
ALTER TABLE results ADD COLUMN same_picture BIGINT NOT NULL DEFAULT 0;
