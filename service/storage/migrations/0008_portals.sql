-- Portals and their keys, whose each game is, further tokens of seats, and how a game's life ends.

CREATE TABLE portals (
    id text PRIMARY KEY,
    name text NOT NULL UNIQUE,
    created_at timestamptz NOT NULL DEFAULT now()
);

-- A key itself is never stored: it is found by its SHA-256.
CREATE TABLE portal_keys (
    id text PRIMARY KEY,
    portal_id text NOT NULL REFERENCES portals (id),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    scopes text[] NOT NULL,
    -- The key in whose place it came; both are good until the older one is revoked.
    replaces text REFERENCES portal_keys (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz
);

CREATE UNIQUE INDEX portal_keys_successor ON portal_keys (replaces) WHERE revoked_at IS NULL;

ALTER TABLE games
    ADD COLUMN portal_id text,
    -- What the portal keeps with its game; nobody else sees it.
    ADD COLUMN metadata jsonb,
    ADD COLUMN listed boolean NOT NULL DEFAULT false,
    ADD COLUMN rematch_game_id text,
    -- Seat tokens that were ended one by one, as numbers (seat, version and device in one).
    ADD COLUMN ended_tokens bigint[] NOT NULL DEFAULT '{}',
    ADD COLUMN abandon_reason text,
    ADD COLUMN archived_at timestamptz,
    ADD COLUMN deleted_at timestamptz;

-- When a game that is over was last changed. Lists and the sweeper are ordered by it: an index of
-- updated_at itself would make every move write one. It writes the table anew, once, before the
-- first release.
-- squawk-ignore adding-field-with-default
ALTER TABLE games ADD COLUMN rested_at timestamptz GENERATED ALWAYS AS
    (CASE WHEN status IN ('finished', 'abandoned') THEN updated_at END) STORED;

-- Before the first release no table is so long that these would keep anybody waiting.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_portal_rested ON games (portal_id, rested_at, id)
    WHERE portal_id IS NOT NULL AND rested_at IS NOT NULL AND deleted_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_portal_going_on ON games (portal_id)
    WHERE portal_id IS NOT NULL AND rested_at IS NULL AND deleted_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_players ON games USING gin (seats jsonb_path_ops) WHERE portal_id IS NOT NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_open ON games (created_at, id) WHERE listed AND status = 'waiting';
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_going_on ON games (created_at, id) WHERE rested_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_rested ON games (rested_at, id)
    WHERE rested_at IS NOT NULL AND archived_at IS NULL;

-- The tokens of a seat beyond the one that came with it. No token stands here: they are derived.
CREATE TABLE seat_tokens (
    game_id text NOT NULL,
    seat smallint NOT NULL,
    device integer NOT NULL CHECK (device > 0),
    version integer NOT NULL,
    label text,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, seat, device)
);
