-- What a result's findings rest on, without a word of the page, as JSON; none where it was compared before this was kept.
ALTER TABLE results ADD COLUMN facts TEXT;
-- The findings and the verdict as a language model described them, as JSON; `findings` and `verdict` stay as measured.
-- `decision` is that of the description where there is one.
ALTER TABLE results ADD COLUMN described TEXT;
