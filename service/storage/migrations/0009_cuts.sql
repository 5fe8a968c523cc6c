-- What a seat committed to or opened for the shuffle, sealed like every hidden fact; NULL in all
-- other changes. A nonce that was opened is for nobody to see before the deal.
ALTER TABLE changes ADD COLUMN fact bytea;
