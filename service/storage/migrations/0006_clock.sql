-- The time that a seat has for its turn, by the clock of the database alone.

-- When the time of who is due runs out; NULL where no clock runs, as in every game before this.
ALTER TABLE games ADD COLUMN turn_deadline timestamptz;
