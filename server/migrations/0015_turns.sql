-- When the discovery of a job of this organization was last begun: of organizations whose jobs wait, the one whose turn is
-- longest ago goes first.
ALTER TABLE organizations ADD COLUMN last_discovery_at_ms BIGINT;
