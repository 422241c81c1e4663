-- What comparing both DOM trees found, as JSON; none where no document was compared.
ALTER TABLE results ADD COLUMN document TEXT;
