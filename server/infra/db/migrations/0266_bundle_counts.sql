-- How many devices of a class run each bundle, exact at every instant. In sixteen parts by connection, so that two who
-- take reports of one class at once seldom wait for each other; the sum is the count.
create table bundle_counts (
  project_id text not null,
  device_class text collate "C" not null,
  bundle_id text collate "C" not null,
  part smallint not null,
  devices bigint not null,
  primary key (project_id, device_class, bundle_id, part),
  foreign key (project_id, device_class, bundle_id) references bundles (project_id, device_class, id) on delete cascade
) with (fillfactor = 50);

create function count_bundles() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- Nearly always: a device has reported nothing when it is created.
    if not exists (select from added where bundle_installed is not null) then
      return null;
    end if;
    insert into bundle_counts as c (project_id, device_class, bundle_id, part, devices)
    select project_id, device_class, bundle_installed, pg_backend_pid() % 16, count(*)
    from added where bundle_installed is not null
    group by project_id, device_class, bundle_installed order by project_id, device_class, bundle_installed
    on conflict (project_id, device_class, bundle_id, part) do update set devices = c.devices + excluded.devices;
  elsif tg_op = 'DELETE' then
    insert into bundle_counts as c (project_id, device_class, bundle_id, part, devices)
    select project_id, device_class, bundle_installed, pg_backend_pid() % 16, -count(*)
    from removed where bundle_installed is not null
    group by project_id, device_class, bundle_installed order by project_id, device_class, bundle_installed
    on conflict (project_id, device_class, bundle_id, part) do update set devices = c.devices + excluded.devices;
  else
    insert into bundle_counts as c (project_id, device_class, bundle_id, part, devices)
    select project_id, device_class, bundle_installed, pg_backend_pid() % 16, sum(n)
    from (
      select project_id, device_class, bundle_installed, 1 as n from added
      union all select project_id, device_class, bundle_installed, -1 from removed) as moved
    where bundle_installed is not null
    group by project_id, device_class, bundle_installed having sum(n) <> 0
    order by project_id, device_class, bundle_installed
    on conflict (project_id, device_class, bundle_id, part) do update set devices = c.devices + excluded.devices;
  end if;
  return null;
end $$;
create trigger devices_bundles_counted_in after insert on devices
  referencing new table as added for each statement execute function count_bundles();
create trigger devices_bundles_counted_out after delete on devices
  referencing old table as removed for each statement execute function count_bundles();
create trigger devices_bundles_counted after update on devices
  referencing old table as removed new table as added for each statement execute function count_bundles();

insert into bundle_counts (project_id, device_class, bundle_id, part, devices)
select project_id, device_class, bundle_installed, 0, count(*)
from devices where bundle_installed is not null group by project_id, device_class, bundle_installed;
