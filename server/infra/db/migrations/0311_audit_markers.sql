-- Which seals of an audit log may lack their entry, because it has expired. Signed with the master key, after the chain
-- up to there was verified: nobody can excuse the absence of other entries by changing rows.
create table audit_markers (
  project_id text primary key,
  -- All seals up to this one, with whose hash the chain continues.
  seq bigint not null,
  hash bytea not null,
  -- Of the seals after it, those of entries that were sealed late: their hashes by number.
  late jsonb not null,
  mac bytea not null
);
