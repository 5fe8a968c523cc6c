-- The public counts of the fair deal. Nothing here tells of any one game.
--
-- They are added to by the statement that deals a hand or ends one, so that they are right whatever
-- becomes of a worker, and of the game itself later. A row for each of some stripes, which the id of a
-- game chooses: hands that end at once seldom wait for one another. Their sum is what counts.

CREATE TABLE fair_counts (
    stripe smallint PRIMARY KEY,
    hands_dealt bigint NOT NULL,
    hands_with_contributor bigint NOT NULL,
    seeds_revealed bigint NOT NULL,
    seeds_due bigint NOT NULL,
    hands_void bigint NOT NULL,
    nonces_withheld bigint NOT NULL
) WITH (fillfactor = 20);
