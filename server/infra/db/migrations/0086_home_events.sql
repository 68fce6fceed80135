-- What happened in homes, for the event streams of apps: a row says what, who reads it looks the content up. Written by
-- triggers, in the transaction of what it tells of, so that neither is ever there without the other.
create sequence home_event_numbers;
create table home_events (
  project_id text not null,
  -- 0: of no home, told to one user.
  home_id bigint not null,
  -- Null: told to all of the home.
  user_id text collate "C",
  device_id text collate "C",
  -- Readers take rows by transaction, since a number is taken before its row can be seen; within a transaction, and among
  -- those that a reader sees at once, numbers are the order.
  tx xid8 not null default pg_current_xact_id(),
  seq bigint not null default nextval('home_event_numbers'),
  ts timestamptz not null,
  -- Three hours each, in a ring: a trigger never lacks a partition, and one is emptied before its turn comes again.
  slot smallint not null default floor(extract(epoch from clock_timestamp()) / 10800)::bigint % 10,
  type text not null
    check (type in ('event', 'state', 'desired', 'presence', 'command', 'device', 'home', 'membership')),
  -- Of an event its name, of a command its stage, else what happened.
  name text not null default '',
  -- The id of the event or command.
  ref text not null default '',
  -- Of events that a back end sent; all else is looked up.
  payload json,
  primary key (project_id, home_id, seq, slot)
) partition by list (slot);
create index home_events_tx on home_events (tx, seq);
create index home_events_user on home_events (project_id, user_id, seq) where user_id is not null;

do $$ begin
  for slot in 0..9 loop
    execute format('create table home_events_%s partition of home_events for values in (%s)', slot, slot);
  end loop;
end $$;

-- Of devices in homes alone. `offset 0` has each looked up by its key, whatever the planner believes of so new a table.
create function tell_home_of_events() returns trigger language plpgsql as $$
begin
  insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
  select a.project_id, d.home_id, a.device_id, a.ts, 'event', a.name, a.id
  from added a join lateral (
    select home_id from devices where project_id = a.project_id and id = a.device_id offset 0) d on d.home_id is not null;
  return null;
end $$;
create trigger device_events_told after insert on device_events
  referencing new table as added for each statement execute function tell_home_of_events();

create function tell_home_of_presence() returns trigger language plpgsql as $$
begin
  insert into home_events (project_id, home_id, device_id, ts, type, name)
  select a.project_id, d.home_id, a.device_id, a.at, 'presence',
    case when a.connected then 'connected' else 'disconnected' end
  from added a join lateral (
    select home_id from devices where project_id = a.project_id and id = a.device_id offset 0) d on d.home_id is not null
  order by a.number;
  return null;
end $$;
create trigger presence_changes_told after insert on presence_changes
  referencing new table as added for each statement execute function tell_home_of_presence();

-- A report of what was known already is none.
create function tell_home_of_states() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into home_events (project_id, home_id, device_id, ts, type)
    select a.project_id, d.home_id, a.device_id, c.ts, c.type
    from added a cross join lateral (values
      ('state', a.reported_at, a.reported <> '{}'), ('desired', a.desired_at, a.desired_version > 0)
    ) as c (type, ts, is_told) join lateral (
      select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null
    where c.is_told and c.ts is not null;
  else
    insert into home_events (project_id, home_id, device_id, ts, type)
    select a.project_id, d.home_id, a.device_id, c.ts, c.type
    from added a join removed r on r.project_id = a.project_id and r.device_id = a.device_id
    cross join lateral (values
      ('state', a.reported_at, a.reported <> r.reported),
      ('desired', a.desired_at, a.desired_version <> r.desired_version)
    ) as c (type, ts, is_told) join lateral (
      select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null
    where c.is_told and c.ts is not null;
  end if;
  return null;
end $$;
create trigger device_states_told_in after insert on device_states
  referencing new table as added for each statement execute function tell_home_of_states();
create trigger device_states_told after update on device_states
  referencing old table as removed new table as added for each statement execute function tell_home_of_states();

create function tell_home_of_commands() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    select a.project_id, d.home_id, a.device_id, a.created_at, 'command', a.stage, a.id
    from added a join lateral (
      select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null;
  else
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    select a.project_id, d.home_id, a.device_id, coalesce(a.finished_at, a.acknowledged_at, a.sent_at, a.created_at),
      'command', a.stage, a.id
    from added a join removed r on r.project_id = a.project_id and r.device_id = a.device_id and r.id = a.id
    join lateral (
      select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null
    where a.stage <> r.stage;
  end if;
  return null;
end $$;
create trigger device_commands_told_in after insert on device_commands
  referencing new table as added for each statement execute function tell_home_of_commands();
create trigger device_commands_told after update on device_commands
  referencing old table as removed new table as added for each statement execute function tell_home_of_commands();

create function tell_home_of_device() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.home_id is not null and (tg_op = 'DELETE' or new.home_id is distinct from old.home_id) then
    insert into home_events (project_id, home_id, device_id, ts, type, name)
    values (old.project_id, old.home_id, old.id, clock_timestamp(), 'device', 'removed');
  end if;
  if tg_op <> 'DELETE' and new.home_id is not null then
    insert into home_events (project_id, home_id, device_id, ts, type, name)
    values (new.project_id, new.home_id, new.id, greatest(clock_timestamp(), new.owned_since), 'device',
      case when tg_op = 'UPDATE' and old.home_id = new.home_id then 'changed' else 'added' end);
  end if;
  return null;
end $$;
create trigger devices_told_in after insert on devices
  for each row when (new.home_id is not null) execute function tell_home_of_device();
create trigger devices_told_out after delete on devices
  for each row when (old.home_id is not null) execute function tell_home_of_device();
create trigger devices_told after update of home_id, name on devices
  for each row when (old.home_id is distinct from new.home_id or old.name <> new.name)
  execute function tell_home_of_device();

-- Once a transaction says it all: a home is read again as a whole.
create function tell_home(project text, home bigint, what text) returns void language sql as $$
  insert into home_events (project_id, home_id, ts, type, name)
  select project, home, clock_timestamp(), 'home', what
  where not exists (
    select from home_events where tx = pg_current_xact_id() and home_id = home and type = 'home' and name = what)
$$;

create function tell_home_of_itself() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform tell_home(new.project_id, new.id, 'changed');
    return null;
  end if;
  -- While there are members to tell: each by name, since no rights are left once it is gone.
  insert into home_events (project_id, home_id, user_id, ts, type, name)
  select project_id, home_id, user_id, clock_timestamp(), 'home', 'deleted' from home_members
  where project_id = old.project_id and home_id = old.id;
  return old;
end $$;
create trigger homes_told after update on homes
  for each row when (old.* is distinct from new.*) execute function tell_home_of_itself();
create trigger homes_told_out before delete on homes for each row execute function tell_home_of_itself();

create function tell_home_of_member() returns trigger language plpgsql as $$
declare
  member home_members;
begin
  if tg_op = 'DELETE' then member := old; else member := new; end if;
  if exists (select from homes where project_id = member.project_id and id = member.home_id) then
    perform tell_home(member.project_id, member.home_id, 'members');
  end if;
  if tg_op = 'UPDATE' and old.role = new.role then
    return null;
  end if;
  insert into home_events (project_id, home_id, user_id, ts, type, name)
  values (member.project_id, member.home_id, member.user_id, clock_timestamp(), 'membership',
    case when tg_op = 'DELETE' then '' else member.role end);
  return null;
end $$;
create trigger home_members_told after insert or update or delete on home_members
  for each row execute function tell_home_of_member();

create function tell_home_of_guest() returns trigger language plpgsql as $$
declare
  listed home_guest_devices;
begin
  if tg_op = 'DELETE' then listed := old; else listed := new; end if;
  if exists (select from homes where project_id = listed.project_id and id = listed.home_id) then
    perform tell_home(listed.project_id, listed.home_id, 'members');
  end if;
  return null;
end $$;
create trigger home_guest_devices_told after insert or update or delete on home_guest_devices
  for each row execute function tell_home_of_guest();

-- What was told to somebody who is erased goes with them.
create function forget_told() returns trigger language plpgsql as $$
begin
  delete from home_events where project_id = old.project_id and user_id = old.id;
  return null;
end $$;
create trigger users_told_out after delete on users for each row execute function forget_told();
