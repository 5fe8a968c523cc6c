-- How much of each rate limit is used, for all processes and machines.
--
-- Unlogged: no write waits for the disk. After a crash, and on a standby that takes over, every
-- bucket is full again, which is no loss.

CREATE UNLOGGED TABLE rate_buckets (
    -- Whose it is: a game, or a client outside of games. It leads, so that a game's buckets lie
    -- where the game does.
    owner text NOT NULL,
    -- Which of the owner's buckets: the limit's name and, in a game, for whom.
    bucket text NOT NULL,
    -- Tokens that were missing at used_at; since then some have come back.
    used double precision NOT NULL,
    used_at timestamptz NOT NULL DEFAULT now(),
    -- How many the last claim got.
    granted integer NOT NULL,
    PRIMARY KEY (owner, bucket)
) WITH (fillfactor = 50);
