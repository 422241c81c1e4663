-- The key that took a rotated key's place; none for a key that was never rotated.
ALTER TABLE api_keys ADD COLUMN replaced_by TEXT;

-- Calls that were sent with an `Idempotency-Key`, and what they were answered. A row is written in the transaction of what
-- the call does: where there is none, nothing was done.
CREATE TABLE idempotency_keys (
    organization_id TEXT NOT NULL REFERENCES organizations (id),
    route TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    answer TEXT NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    PRIMARY KEY (organization_id, route, idempotency_key)
);
CREATE INDEX idempotency_keys_by_end ON idempotency_keys (expires_at_ms);
