-- What a seat says beside the play of a hand, and its private notes.

-- squawk-ignore ban-drop-constraint
ALTER TABLE changes DROP CONSTRAINT changes_kind_check;
-- More kinds than before, so that every row there is keeps it: not worth a look at each of them.
ALTER TABLE changes ADD CONSTRAINT changes_kind_check
    CHECK (kind IN ('created', 'joined', 'confirmed', 'consented', 'withdrew')) NOT VALID;

-- Sealed like every hidden fact. No version of the game: nobody but the seat sees a change of them.
CREATE TABLE notes (
    game_id text NOT NULL,
    seat smallint NOT NULL,
    text bytea NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (game_id, seat)
);
