-- What still has to be sealed. A row is written in the statement that writes its entry, so that both become visible
-- at the same instant, however long the transaction was open; the sealer takes what it sees and can miss nothing.
create table audit_unsealed (
  project_id text not null,
  ts timestamptz not null,
  id text not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
insert into audit_unsealed select project_id, ts, id from log_entries where stream = 'audit';

-- Where to look for a word: for each 512 consecutive seals of a log the three-letter pieces of their entries, hashed.
-- Written behind the sealer, so that appending an entry keeps no search index up to date.
create table audit_blocks (
  project_id text not null,
  block bigint not null,
  from_ts timestamptz not null,
  to_ts timestamptz not null,
  grams smallint[] not null,
  primary key (project_id, block)
);
create index audit_blocks_grams on audit_blocks using gin (grams) with (fastupdate = off);
