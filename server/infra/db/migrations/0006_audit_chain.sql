-- Each entry of an audit log is sealed shortly after it is written, apart from it, so that appending waits for nobody:
-- its hash covers the entry and the hash before it. Changing, removing or inserting an entry later breaks the chain.
create table audit_seals (
  project_id text not null,
  seq bigint not null,
  entry_id text not null,
  entry_ts timestamptz not null,
  hash bytea not null,
  primary key (project_id, seq)
);
create unique index audit_seals_entry on audit_seals (project_id, entry_id);
