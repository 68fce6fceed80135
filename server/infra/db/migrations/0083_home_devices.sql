-- Devices in homes: what a repeated claim is known by, the name that a device had before its home gave it one, and
-- whose right to see it ends when it leaves.

alter table devices
  -- The code that it was claimed with, hashed: a repeat by the same home succeeds.
  add column claimed_with bytea,
  -- The name it gets back when it is released; null: its home has not renamed it.
  add column name_before text;

create function forget_guest_rights() returns trigger language plpgsql as $$
begin
  delete from home_guest_devices where project_id = old.project_id and device_id = old.id;
  return null;
end $$;

create trigger devices_left_home after update of home_id on devices
  for each row when (old.home_id is not null and old.home_id is distinct from new.home_id)
  execute function forget_guest_rights();

-- Created by an app and never connected: looked for each hour.
create index devices_on_demand on devices (created_at) where claimed_how = 'onDemand';
