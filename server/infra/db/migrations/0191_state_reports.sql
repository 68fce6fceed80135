-- What a report changed and the numbers that it said were a row each, in two tables with three indexes of the device and
-- two of the transaction. Now a report is one row.
lock table state_changes, state_numbers in share row exclusive mode;

create table state_reports (
  project_id text not null,
  device_id text collate "C" not null,
  ts timestamptz not null,
  -- Readers take rows by transaction, since a number is taken before its row can be seen.
  tx xid8 not null default pg_current_xact_id(),
  -- Of the sequence of events: the order of all that a device said.
  seq bigint not null default nextval('event_numbers'),
  -- Merge patches: what changed, and what leads back. Null: nothing changed.
  patch json,
  undo json,
  -- What the report said, by the path of the number. Null: no number, or the project keeps them no longer.
  numbers json
) partition by range (ts);

-- A day at a time, into tables without an index; an old day has its name at its end.
do $$
declare
  day text;
  begins timestamptz;
begin
  for day in
    select distinct right(inhrelid::regclass::text, 8) from pg_inherits
    where inhparent in ('state_changes'::regclass, 'state_numbers'::regclass) order by 1
  loop
    begins := to_date(day, 'YYYYMMDD')::timestamp at time zone 'UTC';
    execute format('create table state_reports_%s partition of state_reports for values from (%L) to (%L)',
      day, begins, begins + interval '24 hours');
    if to_regclass('state_changes_' || day) is not null then
      execute format('insert into state_reports_%1$s (project_id, device_id, ts, tx, seq, patch, undo)
        select project_id, device_id, ts, tx, seq, patch, undo from state_changes_%1$s', day);
    end if;
    if to_regclass('state_numbers_' || day) is not null then
      execute format('insert into state_reports_%1$s (project_id, device_id, ts, tx, numbers)
        select project_id, device_id, ts, tx, numbers::json from state_numbers_%1$s', day);
    end if;
  end loop;
end $$;

create index state_reports_device on state_reports (project_id, device_id, ts);
-- By the transaction alone: rows of one transaction share an entry.
create index state_reports_tx on state_reports (tx);

drop table state_changes, state_numbers;
