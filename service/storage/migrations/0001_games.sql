-- Games as they stand, and the facts that led there.
--
-- Hidden facts are sealed before they come here (the codec): setup, state and fact are AES-GCM
-- ciphertext under a key of the game, so that no dump, replica or backup shows a live card.

CREATE TABLE games (
    id text PRIMARY KEY,
    -- Counts every change that a viewer could see; the guard of every write.
    version integer NOT NULL CHECK (version > 0),
    next_move integer NOT NULL CHECK (next_move > 0),
    status text NOT NULL CHECK (status IN ('waiting', 'playing', 'finished', 'abandoned')),
    -- Of a game that had a seat open when it was made.
    join_code text,
    -- Who sits where: kinds, levels, names. Personal data stands nowhere else.
    seats jsonb NOT NULL,
    setup bytea NOT NULL,
    state bytea NOT NULL,
    -- The version and the time of the last move; other changes may have come after it.
    moved_version integer,
    moved_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    updated_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 60);

CREATE UNIQUE INDEX games_join_code ON games (join_code) WHERE join_code IS NOT NULL;

-- The log: one row a move, numbered from 1 without a gap. No foreign key: every row is written by the
-- statement that updates its game, and the check would lock that game's row once more on each move.
CREATE TABLE moves (
    game_id text NOT NULL,
    number integer NOT NULL CHECK (number > 0),
    version integer NOT NULL CHECK (version > 0),
    hand_number integer NOT NULL CHECK (hand_number > 0),
    -- Which seat's token sent the request that this move answers, and the hash of what it asked
    -- for: how the same request, sent again, is recognised for as long as the game lives.
    sent_by smallint,
    request_hash bytea,
    fact bytea NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (game_id, number)
);

-- Changes that are no moves; with the moves they make up all versions of a game.
CREATE TABLE changes (
    game_id text NOT NULL,
    version integer NOT NULL CHECK (version > 0),
    kind text NOT NULL CHECK (kind IN ('created', 'joined')),
    seat smallint,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, version)
);
