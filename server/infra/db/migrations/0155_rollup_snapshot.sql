-- What is in the figures is told by a snapshot: a number alone would wait for every transaction of the whole PostgreSQL,
-- other databases included.
alter table state_rollup add column seen pg_snapshot, add column complete_at timestamptz;
update state_rollup set seen = (tx::text || ':' || tx::text || ':')::pg_snapshot, complete_at = at;
alter table state_rollup
  alter column seen set not null,
  -- All reports from before were in the figures.
  alter column complete_at set not null,
  drop column tx;
