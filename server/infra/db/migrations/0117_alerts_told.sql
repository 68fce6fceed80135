-- Homes hear of the alerts of their devices.
alter table home_events drop constraint home_events_type_check, add constraint home_events_type_check check (
  type in ('event', 'state', 'desired', 'presence', 'command', 'alert', 'device', 'home', 'membership'));

-- Of what was raised since the device belongs to its home. A report more of the same is no news.
create function tell_home_of_alerts() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    select a.project_id, d.home_id, a.device_id, a.ts, 'alert', 'raised', a.id
    from added a join lateral (
      select home_id, owned_since from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null and a.ts >= d.owned_since;
  else
    insert into home_events (project_id, home_id, device_id, ts, type, name, ref)
    select a.project_id, d.home_id, a.device_id, case when a.state = r.state then a.last_at else a.state_at end, 'alert',
      case when a.state = r.state then 'changed' when a.state = 'open' then 'reopened' else a.state end, a.id
    from added a join removed r on r.project_id = a.project_id and r.id = a.id
    join lateral (
      select home_id, owned_since from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null and a.ts >= d.owned_since
    where a.state <> r.state or a.severity <> r.severity;
  end if;
  return null;
end $$;
create trigger alerts_told_in after insert on alerts
  referencing new table as added for each statement execute function tell_home_of_alerts();
create trigger alerts_told after update on alerts
  referencing old table as removed new table as added for each statement execute function tell_home_of_alerts();
