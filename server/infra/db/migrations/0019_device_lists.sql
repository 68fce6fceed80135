-- What lists of devices and of classes are read by.

-- How many devices of a class are connected, beside how many it has: counting them takes as long as there are many.
alter table device_counts add column connected bigint not null default 0;

create function count_connected() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- Nearly always: a device is not connected when it is made.
    if not exists (select from added where seen_at = 'infinity') then
      return null;
    end if;
    insert into device_counts as c (project_id, device_class, part, connected)
    select project_id, device_class, pg_backend_pid() % 64, count(*) from added where seen_at = 'infinity'
    group by project_id, device_class order by project_id, device_class
    on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected;
  elsif tg_op = 'DELETE' then
    insert into device_counts as c (project_id, device_class, part, connected)
    select project_id, device_class, pg_backend_pid() % 64, -count(*) from removed where seen_at = 'infinity'
    group by project_id, device_class order by project_id, device_class
    on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected;
  else
    insert into device_counts as c (project_id, device_class, part, connected)
    select project_id, device_class, pg_backend_pid() % 64, sum(connected) from (
      select project_id, device_class, (seen_at = 'infinity')::int as connected from added
      union all select project_id, device_class, -(seen_at = 'infinity')::int from removed) as changed
    group by project_id, device_class having sum(connected) <> 0 order by project_id, device_class
    on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected;
  end if;
  return null;
end $$;
create trigger device_presence_counted_in after insert on device_presence
  referencing new table as added for each statement execute function count_connected();
create trigger device_presence_counted_out after delete on device_presence
  referencing old table as removed for each statement execute function count_connected();
create trigger device_presence_counted after update on device_presence
  referencing old table as removed new table as added for each statement execute function count_connected();

insert into device_counts as c (project_id, device_class, part, connected)
select project_id, device_class, 0, count(*) from device_presence where seen_at = 'infinity'
group by project_id, device_class
on conflict (project_id, device_class, part) do update set connected = c.connected + excluded.connected;

-- As they were written: members keep their order.
alter table device_classes
  alter column state_schema type json, alter column event_schemas type json, alter column command_schemas type json;

-- Never comes before all times, and now after them: one order without nulls, in which a page can be found again.
alter table device_presence
  add column seen_order timestamptz generated always as (coalesce(seen_at, '-infinity')) stored;
drop index device_presence_seen;
create index device_presence_seen on device_presence (project_id, device_class, seen_order, device_id);

-- Where nearly all are claimed, those that are not are hard to find otherwise.
create index devices_unclaimed on devices (project_id, device_class, id) where home_id is null;
create index devices_bundle on devices (project_id, bundle_installed, id) where bundle_installed is not null;

-- A class is nearly always given: then a text that is common in the project and rare in the class is found at once.
drop index devices_search;
create index devices_search on devices using gin (project_id, device_class, search gin_trgm_ops);
