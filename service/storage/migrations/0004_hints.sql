-- A hint is a change that is no move: it counts in every view.

-- squawk-ignore ban-drop-constraint
ALTER TABLE changes DROP CONSTRAINT changes_kind_check;
-- Which kinds there are is for the code to say; the table only keeps out what is no word.
ALTER TABLE changes ADD CONSTRAINT changes_kind_check CHECK (kind ~ '^[a-z_]{1,40}$') NOT VALID;
