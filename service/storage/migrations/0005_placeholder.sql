-- Kept free for what is merged beside this.

SELECT 1;
