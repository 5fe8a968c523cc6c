-- Answers to requests that carried an Idempotency-Key, to be given again if they were lost.
--
-- The answers hold tokens. They are sealed under a key that follows from the server's secret and the
-- Idempotency-Key, which stands nowhere: neither a dump alone nor the server alone opens them.

CREATE TABLE idempotency_keys (
    -- SHA-256 over caller, operation and key. The row is claim and answer in one: it is inserted by the
    -- transaction that does what was asked, and whoever comes at the same time waits for it here.
    name bytea PRIMARY KEY,
    answer bytea NOT NULL,
    -- An answer goes when its time is over, or with the game that it is about.
    expires_at timestamptz,
    game_id text REFERENCES games (id) ON DELETE CASCADE,
    CHECK (expires_at IS NOT NULL OR game_id IS NOT NULL)
);

CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX idempotency_keys_game_id ON idempotency_keys (game_id) WHERE game_id IS NOT NULL;
