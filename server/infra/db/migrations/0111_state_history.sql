-- The numbers of reported states over time: each report for a week, then five-minute and hourly figures.

-- What a report said, by the path of the number. Rows of transactions before that of `state_rollup` are in the figures.
create table state_numbers (
  project_id text not null,
  device_id text collate "C" not null,
  ts timestamptz not null,
  tx xid8 not null default pg_current_xact_id(),
  numbers jsonb not null
) partition by range (ts);
create index state_numbers_device on state_numbers (project_id, device_id, ts);
create index state_numbers_tx on state_numbers (tx);

-- `subject` is a device id, or `class:` and the id of a class, for all its devices together.
create table state_minutes (
  project_id text not null,
  subject text collate "C" not null,
  property text collate "C" not null,
  -- When the five minutes begin.
  at timestamptz not null,
  least float8 not null,
  most float8 not null,
  sum float8 not null,
  count integer not null,
  primary key (project_id, subject, property, at)
) partition by range (at);

create table state_hours (
  project_id text not null,
  subject text collate "C" not null,
  property text collate "C" not null,
  at timestamptz not null,
  least float8 not null,
  most float8 not null,
  sum float8 not null,
  count integer not null,
  primary key (project_id, subject, property, at)
) partition by range (at);

-- The properties that the figures of a project are about, and those for which there was no room.
create table state_properties (
  project_id text not null,
  property text collate "C" not null,
  is_kept boolean not null,
  last_at timestamptz not null,
  primary key (project_id, property)
);

-- How far the figures are: one row.
create table state_rollup (
  only_one boolean primary key default true check (only_one),
  tx xid8 not null,
  at timestamptz not null,
  -- Reports from before are in the figures, whatever their transaction: they came with a backup of another database.
  since timestamptz not null
);
insert into state_rollup (tx, at, since) values ('3', '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z');

alter table projects
  add column raw_history_days integer not null default 7,
  add column five_minute_history_days integer not null default 30,
  add column hourly_history_days integer not null default 730;
