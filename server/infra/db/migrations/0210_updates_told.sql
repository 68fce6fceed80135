-- Homes hear of the updates of their devices: a new one, how far it is, what it waits for, what was answered.
alter table home_events drop constraint home_events_type_check, add constraint home_events_type_check check (
  type in ('event', 'state', 'desired', 'presence', 'command', 'alert', 'update', 'device', 'home', 'membership'));

-- Percents and bytes are no news: they come with every report. Devices in homes are found first, mostly none.
create function tell_home_of_updates() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  if tg_op = 'INSERT' then
    insert into home_events (project_id, home_id, device_id, ts, type)
    select a.project_id, d.home_id, a.device_id, greatest(clock_timestamp(), d.owned_since), 'update'
    from added a join lateral (
      select home_id, owned_since from devices where project_id = a.project_id and id = a.device_id offset 0
    ) d on d.home_id is not null
    where a.bundle_id is not null;
  else
    insert into home_events (project_id, home_id, device_id, ts, type)
    with at_home as materialized (
      select a.*, d.home_id, d.owned_since from added a join lateral (
        select home_id, owned_since from devices where project_id = a.project_id and id = a.device_id offset 0
      ) d on d.home_id is not null)
    select a.project_id, a.home_id, a.device_id, greatest(clock_timestamp(), a.owned_since), 'update'
    from at_home a join removed r on r.project_id = a.project_id and r.device_id = a.device_id
    where (a.sequence, a.bundle_id, a.state, a.waits_for, a.consent)
      is distinct from (r.sequence, r.bundle_id, r.state, r.waits_for, r.consent);
  end if;
  return null;
end $$;
create trigger device_targets_told_in after insert on device_targets
  referencing new table as added for each statement execute function tell_home_of_updates();
create trigger device_targets_told after update on device_targets
  referencing old table as removed new table as added for each statement execute function tell_home_of_updates();

-- What the home answered goes to the history with the update. By whom: {"id", "name"} in `by`, found again to forget the name.
alter table device_updates add column consent jsonb;
create index device_targets_answered_by on device_targets (project_id, (consent #>> '{by,id}')) where consent is not null;
create index device_updates_answered_by on device_updates (project_id, (consent #>> '{by,id}')) where consent is not null;
