-- Who is at the table, and what is done without anybody asking.

ALTER TABLE games
    -- The people who are there, one bit for each seat: 1 for seat 0, 2 for seat 1 and so on.
    ADD COLUMN online smallint NOT NULL DEFAULT 0,
    -- How many versions were such a coming or going. Every other write is guarded by the rest, so
    -- that nobody has to decide anew because of them.
    ADD COLUMN sightings integer NOT NULL DEFAULT 0,
    -- The turn_deadline from which nothing is left to follow, though it still stands there.
    ADD COLUMN settled_deadline timestamptz;

-- Until when somebody counts as there, as far as any process has seen. Unlogged: no write waits for
-- the disk. After a crash all are gone until they are seen again.
CREATE UNLOGGED TABLE presence (
    game_id text NOT NULL,
    seat smallint NOT NULL,
    seen_until timestamptz NOT NULL,
    -- Since when: whoever has come lately is looked for once more, should its game not say so yet.
    come_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, seat)
) WITH (fillfactor = 50);

-- Which duties are being done, or were a moment ago: nobody else does them before ``until``. Unlogged
-- as well: after a crash whoever comes first does them.
CREATE UNLOGGED TABLE duties (
    name text PRIMARY KEY,
    until timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Before the first release no table is so long that these would keep anybody waiting. Neither is
-- written by a move of a game without a clock, nor by one that is made while nobody comes or goes.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_online ON games (id) WHERE online <> 0 AND rested_at IS NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX games_overdue ON games (turn_deadline)
    WHERE turn_deadline IS NOT NULL AND rested_at IS NULL AND settled_deadline IS DISTINCT FROM turn_deadline;
