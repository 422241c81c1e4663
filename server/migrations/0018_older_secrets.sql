-- Of a webhook that was given a new secret again while the former one still signed: the secret before that, and until when it
-- signs too.
ALTER TABLE webhooks ADD COLUMN older_secret TEXT;
ALTER TABLE webhooks ADD COLUMN older_secret_until_ms BIGINT;
