-- Score sheets that belong to a portal, lists of them, and how a sheet's life ends.

ALTER TABLE score_sheets
    ADD COLUMN portal_id text,
    -- What the portal keeps with its sheet; nobody else sees it.
    ADD COLUMN metadata jsonb,
    -- What lists tell, as of the last change: the hands that stand, and whether the game is over.
    ADD COLUMN hand_count integer NOT NULL DEFAULT 0,
    ADD COLUMN complete boolean NOT NULL DEFAULT false,
    -- When names, reasons and metadata were removed.
    ADD COLUMN erased_at timestamptz;

-- Before the first release no table is so long that these would keep anybody waiting.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX score_sheets_portal ON score_sheets (portal_id, updated_at, id) WHERE portal_id IS NOT NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX score_sheets_names ON score_sheets USING gin (names jsonb_path_ops) WHERE portal_id IS NOT NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX score_sheets_updated_at ON score_sheets (updated_at);

-- Sheets of portals that are gone: deleting one again is done already, and not the same as deleting
-- what never was. An id says nothing about anybody.
CREATE TABLE deleted_score_sheets (
    id text PRIMARY KEY,
    portal_id text NOT NULL,
    deleted_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX deleted_score_sheets_deleted_at ON deleted_score_sheets (deleted_at);

-- The sheet that an answer is about: it holds names, and goes with them.
ALTER TABLE idempotency_keys ADD COLUMN score_sheet_id text;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX idempotency_keys_score_sheet_id ON idempotency_keys (score_sheet_id)
    WHERE score_sheet_id IS NOT NULL;
