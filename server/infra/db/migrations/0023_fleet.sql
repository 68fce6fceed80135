-- The state of a device as people see it: suspended, or else whether it is connected, was, or never was. Each device is in
-- one state, so that the counts of the states add up to the devices.
alter table device_presence add column suspended boolean not null default false;
update device_presence s set suspended = true from devices d
where d.suspended and d.project_id = s.project_id and d.id = s.device_id;
create index device_presence_suspended on device_presence (project_id, device_class, device_id) where suspended;

create function keep_suspended() returns trigger language plpgsql as $$
begin
  update device_presence set suspended = new.suspended where project_id = new.project_id and device_id = new.id;
  return null;
end $$;
create trigger devices_suspended after update of suspended on devices
  for each row when (old.suspended <> new.suspended) execute function keep_suspended();

-- Who never connected is not counted: it is all that are in no other state, and creating a device counts nothing here.
alter table device_counts
  add column disconnected bigint not null default 0, add column suspended bigint not null default 0;

create function count_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- Nearly always: a device has not connected when it is created.
    if not exists (select from added where seen_at is not null or suspended) then
      return null;
    end if;
    insert into device_counts as c (project_id, device_class, part, connected, disconnected, suspended)
    select project_id, device_class, pg_backend_pid() % 64,
      count(*) filter (where not suspended and seen_at = 'infinity'),
      count(*) filter (where not suspended and seen_at < 'infinity'), count(*) filter (where suspended)
    from added group by project_id, device_class order by project_id, device_class
    on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected,
      disconnected = c.disconnected + excluded.disconnected, suspended = c.suspended + excluded.suspended;
  elsif tg_op = 'DELETE' then
    insert into device_counts as c (project_id, device_class, part, connected, disconnected, suspended)
    select project_id, device_class, pg_backend_pid() % 64,
      -count(*) filter (where not suspended and seen_at = 'infinity'),
      -count(*) filter (where not suspended and seen_at < 'infinity'), -count(*) filter (where suspended)
    from removed where seen_at is not null or suspended
    group by project_id, device_class order by project_id, device_class
    on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected,
      disconnected = c.disconnected + excluded.disconnected, suspended = c.suspended + excluded.suspended;
  else
    insert into device_counts as c (project_id, device_class, part, connected, disconnected, suspended)
    select project_id, device_class, pg_backend_pid() % 64, sum(connected), sum(disconnected), sum(suspended)
    from (
      select project_id, device_class, (not suspended and coalesce(seen_at = 'infinity', false))::int as connected,
        (not suspended and coalesce(seen_at < 'infinity', false))::int as disconnected, suspended::int as suspended
      from added
      union all
      select project_id, device_class, -(not suspended and coalesce(seen_at = 'infinity', false))::int,
        -(not suspended and coalesce(seen_at < 'infinity', false))::int, -suspended::int from removed
    ) as changed
    group by project_id, device_class
    having sum(connected) <> 0 or sum(disconnected) <> 0 or sum(suspended) <> 0
    order by project_id, device_class
    on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected,
      disconnected = c.disconnected + excluded.disconnected, suspended = c.suspended + excluded.suspended;
  end if;
  return null;
end $$;
drop trigger device_presence_counted_in on device_presence;
drop trigger device_presence_counted_out on device_presence;
drop trigger device_presence_counted on device_presence;
drop function count_connected;
create trigger device_presence_counted_in after insert on device_presence
  referencing new table as added for each statement execute function count_states();
create trigger device_presence_counted_out after delete on device_presence
  referencing old table as removed for each statement execute function count_states();
create trigger device_presence_counted after update on device_presence
  referencing old table as removed new table as added for each statement execute function count_states();

update device_counts set connected = 0;
insert into device_counts as c (project_id, device_class, part, connected, disconnected, suspended)
select project_id, device_class, 0,
  count(*) filter (where not suspended and seen_at = 'infinity'),
  count(*) filter (where not suspended and seen_at < 'infinity'), count(*) filter (where suspended)
from device_presence where seen_at is not null or suspended
group by project_id, device_class
on conflict (project_id, device_class, part) do update set connected = excluded.connected,
  disconnected = excluded.disconnected, suspended = excluded.suspended;

-- A device that changes its status more than five times within an hour is flapping.
alter table device_presence
  add column changes_from timestamptz, add column changes_count smallint not null default 0,
  add column flapping_at timestamptz;
create index device_presence_flapping on device_presence (project_id, flapping_at) where flapping_at is not null;

-- How many devices of a class were connected, by quarter of an hour: at its end, and at the least.
create table connected_history (
  project_id text not null references projects on delete cascade,
  device_class text collate "C" not null,
  at timestamptz not null,
  connected bigint not null,
  low bigint not null,
  primary key (project_id, device_class, at)
);
create index connected_history_at on connected_history (at);

create table message_hours (
  project_id text not null,
  device_class text collate "C" not null,
  hour timestamptz not null,
  incoming bigint not null default 0,
  outgoing bigint not null default 0,
  primary key (project_id, device_class, hour)
);
create index message_hours_hour on message_hours (hour);

-- What needs attention, found by project.
create index device_commands_failed on device_commands (project_id, finished_at) where stage = 'failed';
create index quarantine_project on quarantine (project_id, ts);
create index quarantine_device on quarantine (project_id, device_id, ts);
