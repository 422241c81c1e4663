-- The screenshot in the form that comparisons read fastest, a blob; captures made before it was kept have none.

ALTER TABLE captures ADD COLUMN strips_blob TEXT;
