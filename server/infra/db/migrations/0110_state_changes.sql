-- What changed in reported states: smart modules read it as an event, and by undoing changes the state at any time of the
-- last days is known. Its numbers come from the same sequence as those of events, so that they are the order of all that
-- a device said.
create sequence if not exists event_numbers;

create table state_changes (
  project_id text not null,
  device_id text collate "C" not null,
  ts timestamptz not null,
  -- Readers take rows by transaction, since a number is taken before its row can be seen.
  tx xid8 not null default pg_current_xact_id(),
  seq bigint not null default nextval('event_numbers'),
  -- Merge patches: what changed, and what leads back.
  patch json not null,
  undo json not null,
  primary key (project_id, device_id, ts, seq)
) partition by range (ts);
create index state_changes_tx on state_changes (tx, seq);
