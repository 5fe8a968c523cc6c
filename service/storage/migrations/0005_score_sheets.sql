-- Score sheets that people keep for hands played elsewhere, and every change that was made to them.
--
-- Nothing here is hidden from anybody who may read the sheet, so nothing is sealed. Names and reasons
-- are personal data and stand nowhere else: a sheet that is deleted leaves nothing behind.

CREATE TABLE score_sheets (
    id text PRIMARY KEY,
    -- One more with each change; the guard of every write.
    version integer NOT NULL CHECK (version > 0),
    -- The names, in the order of their seats.
    names jsonb NOT NULL,
    rules jsonb NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- The time of the last change, from which on a sheet that nobody uses may be counted as old.
    updated_at timestamptz NOT NULL DEFAULT now()
);

-- The sheet itself: what was said of which hand, in order, and never altered. No foreign key, as with
-- moves: every row is written by the statement that updates its sheet.
CREATE TABLE score_sheet_changes (
    score_sheet_id text NOT NULL,
    -- The version that it made; the making of the sheet is version 1 and no change.
    version integer NOT NULL CHECK (version > 1),
    change jsonb NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (score_sheet_id, version)
);
