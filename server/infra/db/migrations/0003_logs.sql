-- Append-only. Split by stream, because each is kept for a time of its own, then by month, so that old entries
-- leave by dropping a partition. Partitions are made ahead by server/logs/partitions.ts.
create table log_entries (
  -- The project, or the organization for what happens to accounts.
  project_id text not null,
  stream text not null check (stream in ('audit', 'system', 'http')),
  ts timestamptz not null,
  id text not null,
  level smallint not null,
  -- What the entry is about where a log of its own is shown for it: a device, a developer.
  subject text,
  actor jsonb not null,
  action text not null,
  text text not null,
  detail jsonb,
  primary key (project_id, stream, ts, id)
) partition by list (stream);

create table log_entries_audit partition of log_entries for values in ('audit') partition by range (ts);
create table log_entries_system partition of log_entries for values in ('system') partition by range (ts);
create table log_entries_http partition of log_entries for values in ('http') partition by range (ts);

create index log_entries_subject on log_entries (subject, ts desc) where subject is not null;
