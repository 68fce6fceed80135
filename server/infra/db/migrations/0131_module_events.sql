-- How events reach smart modules: what is read, how far it was read, and by which process.

-- By the transaction alone: rows of one transaction share an entry, which costs devices less than an entry a row.
create index device_events_tx on device_events (tx);
create index presence_changes_tx on presence_changes (tx);

-- What else modules receive as events: changes of devices that no device said.
create table device_changes (
  project_id text not null,
  device_id text collate "C" not null,
  ts timestamptz not null,
  tx xid8 not null default pg_current_xact_id(),
  seq bigint not null default nextval('event_numbers'),
  -- A day each, in a ring: a trigger never lacks a partition, and one is emptied before its turn comes again.
  slot smallint not null,
  name text not null check (name in ('_desired_', '_alert_', '_command_', '_added_', '_removed_')),
  payload json not null,
  -- The runs of modules that led to it, first to last.
  caused_by text[] not null default '{}',
  primary key (project_id, device_id, ts, seq, slot),
  foreign key (project_id, device_id) references devices on delete cascade
) partition by list (slot);
create index device_changes_tx on device_changes (tx);

do $$ begin
  for slot in 0..8 loop
    execute format('create table device_changes_%s partition of device_changes for values in (%s)', slot, slot);
  end loop;
end $$;

-- Set by a module for the transaction in which it acts.
create function caused_by_runs() returns text[] language sql stable as $$
  select coalesce(array_agg(value), '{}')
  from json_array_elements_text(nullif(current_setting('mooring.caused_by', true), '')::json)
$$;

create function note_device_change(project text, device text, what text, about json, causes text[])
returns void language sql as $$
  insert into device_changes (project_id, device_id, ts, slot, name, payload, caused_by)
  select project, device, at, floor(extract(epoch from at) / 86400)::bigint % 9, what, about, causes
  from (select date_trunc('milliseconds', clock_timestamp()) as at) as now
$$;

create function note_desired() returns trigger language plpgsql as $$
begin
  perform note_device_change(new.project_id, new.device_id, '_desired_', new.desired::json, caused_by_runs());
  return null;
end $$;
create trigger device_states_desired_in after insert on device_states
  for each row when (new.desired_version > 0) execute function note_desired();
create trigger device_states_desired after update of desired_version on device_states
  for each row when (old.desired_version <> new.desired_version) execute function note_desired();

create function note_alert() returns trigger language plpgsql as $$
begin
  perform note_device_change(new.project_id, new.device_id, '_alert_', json_strip_nulls(json_build_object(
    'id', new.id, 'severity', new.severity, 'text', new.text, 'key', new.key, 'event', new.event,
    'moduleId', nullif(new.module_id, ''))), caused_by_runs());
  return null;
end $$;
create trigger alerts_noted_in after insert on alerts for each row execute function note_alert();
-- It was resolved, and is there again.
create trigger alerts_noted after update of opened_tx on alerts
  for each row when (old.opened_tx <> new.opened_tx) execute function note_alert();

-- A command ends in another transaction than the one that sent it.
alter table device_commands add column caused_by text[] not null default '{}';
alter table device_commands alter column caused_by set default caused_by_runs();

create function note_command() returns trigger language plpgsql as $$
begin
  perform note_device_change(new.project_id, new.device_id, '_command_', json_build_object(
    'id', new.id, 'name', new.name, 'stage', new.stage, 'args', new.args, 'result', new.result, 'error', new.error),
    new.caused_by);
  return null;
end $$;
create trigger device_commands_noted after update of stage on device_commands
  for each row when (old.stage <> new.stage and new.stage in ('done', 'failed', 'expired', 'cancelled'))
  execute function note_command();

create function note_home() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.home_id is not null then
    perform note_device_change(old.project_id, old.id, '_removed_',
      json_build_object('homeId', old.home_id::text), caused_by_runs());
  end if;
  if new.home_id is not null then
    perform note_device_change(new.project_id, new.id, '_added_',
      json_build_object('homeId', new.home_id::text), caused_by_runs());
  end if;
  return null;
end $$;
create trigger devices_home_noted_in after insert on devices
  for each row when (new.home_id is not null) execute function note_home();
create trigger devices_home_noted after update of home_id on devices
  for each row when (old.home_id is distinct from new.home_id) execute function note_home();

-- The transaction that created or resumed a module: it receives what comes after.
alter table smart_modules add column since_tx xid8 not null default pg_current_xact_id();
create function begin_anew() returns trigger language plpgsql as $$
begin
  new.since_tx := pg_current_xact_id();
  return new;
end $$;
create trigger smart_modules_resumed before update of suspended on smart_modules
  for each row when (old.suspended and not new.suspended) execute function begin_anew();

-- Projects are divided among a few shards, each worked on by one process at a time.
create function module_shard(project text) returns smallint language sql immutable parallel safe as
  'select (hashtext(project) & 3)::smallint';
create table module_shards (
  shard smallint primary key,
  -- The process that holds the lease; it does what the modules of these projects do.
  holder text not null default '',
  lease_until timestamptz not null default '-infinity',
  -- Everything up to this row was read.
  tx xid8 not null default '3',
  seq bigint not null default 0,
  -- Rows from before count as read, whatever their transaction: they came with a backup of another database.
  since timestamptz not null default '-infinity',
  cluster text not null default ''
);
insert into module_shards (shard) select generate_series(0, 3);

-- How a module is.
create table module_health (
  project_id text not null,
  module_id text collate "C" not null,
  -- Since when every attempt has failed; null: the last one did not.
  failing_since timestamptz,
  primary key (project_id, module_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);

-- Whoever resumes or recovers a module gives it time to prove itself.
create function forget_failures() returns trigger language plpgsql as $$
begin
  delete from module_health where project_id = new.project_id and module_id = new.id;
  return null;
end $$;
create trigger smart_modules_failures_forgotten after update of suspended, parked_at on smart_modules
  for each row when (old.suspended and not new.suspended or old.parked_at is not null and new.parked_at is null)
  execute function forget_failures();

create index module_runs_failed on module_runs (project_id, module_id, id) where state = 'failed';

-- What modules did for a device goes with it. No foreign key: a run can be stored a moment after its device has gone.
create index module_runs_device on module_runs (project_id, device_id, id) where device_id is not null;
create function forget_runs() returns trigger language plpgsql as $$
begin
  delete from module_runs where project_id = old.project_id and device_id = old.id;
  return null;
end $$;
create trigger devices_runs_forgotten after delete on devices for each row execute function forget_runs();
