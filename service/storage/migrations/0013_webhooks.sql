-- What portals are told: events of their games, the webhooks they go to, and each delivery.
--
-- No table here tells who plays. Names, references and metadata stand with the game alone and are
-- read there when an event is told, so that whoever is erased there is erased here.

-- Written by the statement or the transaction that changes a game of a portal, and emptied soon
-- after: a row moves on to portal_events. Its number follows the order of each game's versions.
CREATE TABLE outbox (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    portal_id text NOT NULL,
    game_id text NOT NULL,
    version integer NOT NULL,
    type text NOT NULL,
    facts jsonb NOT NULL,
    happened_at timestamptz NOT NULL DEFAULT now()
);

-- The feed. The number is given after the change was committed, by one transaction at a time, so
-- that no smaller one can appear behind a reader's cursor.
CREATE TABLE portal_events (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    portal_id text NOT NULL,
    game_id text NOT NULL,
    version integer NOT NULL,
    type text NOT NULL,
    facts jsonb NOT NULL,
    happened_at timestamptz NOT NULL
);

CREATE INDEX portal_events_feed ON portal_events (portal_id, number);

CREATE TABLE webhooks (
    id text PRIMARY KEY,
    portal_id text NOT NULL REFERENCES portals (id),
    url text NOT NULL,
    -- Which events go there; all of them if it is empty.
    event_types text[] NOT NULL DEFAULT '{}',
    description text,
    enabled boolean NOT NULL DEFAULT true,
    -- Why it was disabled, if nobody asked for it.
    disabled_code text,
    -- Since when every attempt has failed; NULL after one that did not.
    failing_since timestamptz,
    created_at timestamptz NOT NULL DEFAULT now(),
    -- One that was deleted is remembered, without what was kept of it, so that it can be again.
    deleted_at timestamptz
);

CREATE INDEX webhooks_of_portal ON webhooks (portal_id, created_at, id) WHERE deleted_at IS NULL;

-- Secrets are sealed. One that was replaced signs as well until its time is over.
CREATE TABLE webhook_secrets (
    webhook_id text NOT NULL REFERENCES webhooks (id),
    number integer NOT NULL CHECK (number > 0),
    secret bytea NOT NULL,
    ends_at timestamptz,
    PRIMARY KEY (webhook_id, number)
);

-- One row for each event and webhook; that of a ping has an event of its own, in no feed.
CREATE TABLE deliveries (
    id text PRIMARY KEY,
    webhook_id text NOT NULL REFERENCES webhooks (id),
    event_id text NOT NULL,
    event_type text NOT NULL,
    attempt integer NOT NULL DEFAULT 0,
    status_code integer,
    failure_code text,
    delivered boolean NOT NULL DEFAULT false,
    -- NULL if there will be none: it was delivered, given up, or its webhook is disabled.
    next_attempt_at timestamptz,
    -- A process is at it until then; if it dies, another one tries again.
    leased_until timestamptz,
    attempted_at timestamptz,
    created_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX deliveries_of_webhook ON deliveries (webhook_id, created_at, id);
CREATE INDEX deliveries_old ON deliveries (created_at);
