-- What homes are told of updates. The rows of a batch were compared with each other row of it: PostgreSQL plans such a
-- function once, for a batch of one. Now the devices in homes are found first, mostly none, and joined by a hash.
create or replace function tell_home_of_states() returns trigger language plpgsql set enable_nestloop = off as $$
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
    with at_home as materialized (
      select a.*, d.home_id from added a join lateral (
        select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
      ) d on d.home_id is not null)
    select a.project_id, a.home_id, a.device_id, c.ts, c.type
    from at_home a join removed r on r.project_id = a.project_id and r.device_id = a.device_id
    cross join lateral (values
      ('state', a.reported_at, a.reported <> r.reported),
      ('desired', a.desired_at, a.desired_version <> r.desired_version)
    ) as c (type, ts, is_told)
    where c.is_told and c.ts is not null;
  end if;
  return null;
end $$;

create or replace function tell_home_of_commands() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    select a.project_id, d.home_id, a.device_id, a.created_at, 'command', a.stage, a.id
    from added a join lateral (
      select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null;
  else
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    with at_home as materialized (
      select a.*, d.home_id from added a join lateral (
        select home_id from devices where project_id = a.project_id and id = a.device_id offset 0
      ) d on d.home_id is not null)
    select a.project_id, a.home_id, a.device_id, coalesce(a.finished_at, a.acknowledged_at, a.sent_at, a.created_at),
      'command', a.stage, a.id
    from at_home a join removed r on r.project_id = a.project_id and r.device_id = a.device_id and r.id = a.id
    where a.stage <> r.stage;
  end if;
  return null;
end $$;

create or replace function tell_home_of_alerts() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    select a.project_id, d.home_id, a.device_id, a.ts, 'alert', 'raised', a.id
    from added a join lateral (
      select home_id, owned_since from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null and a.ts >= d.owned_since;
  else
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    with at_home as materialized (
      select a.*, d.home_id from added a join lateral (
        select home_id, owned_since from devices where project_id = a.project_id and id = a.device_id offset 0
      ) d on d.home_id is not null and a.ts >= d.owned_since)
    select a.project_id, a.home_id, a.device_id, case when a.state = r.state then a.last_at else a.state_at end, 'alert',
      case when a.state = r.state then 'changed' when a.state = 'open' then 'reopened' else a.state end, a.id
    from at_home a join removed r on r.project_id = a.project_id and r.id = a.id
    where a.state <> r.state or a.severity <> r.severity;
  end if;
  return null;
end $$;
