-- The most that were connected in a quarter of an hour: `connected` is how many there were at its end. Null: as many.
alter table connected_history add column high bigint;
