-- The time that a seat has for its turn, by the clock of the database alone.

-- When the time of who is due runs out; NULL where no clock runs, as in every game before this.
ALTER TABLE games ADD COLUMN turn_deadline timestamptz;

-- squawk-ignore ban-drop-constraint
ALTER TABLE changes DROP CONSTRAINT changes_kind_check;
-- More kinds than before, so that every row there is keeps it: not worth a look at each of them.
ALTER TABLE changes ADD CONSTRAINT changes_kind_check
    CHECK (kind IN ('created', 'joined', 'confirmed', 'consented', 'withdrew', 'out_of_time',
        'taken_over', 'confirmed_by_clock')) NOT VALID;
