-- The way of each change of a desired state to its device and back. Its state has the result; this is kept to look at.
create table desired_changes (
  project_id text not null,
  device_id text collate "C" not null,
  version integer not null,
  -- From what was desired before to what was desired then, as a merge patch.
  patch jsonb not null,
  set_by jsonb not null,
  -- When the call arrived, and under which id it stands in the logs. Null: it was no call.
  called_at timestamptz,
  request_id text,
  created_at timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  -- When the device had reported it; the time of creation where it had done so before.
  reported_at timestamptz,
  replaced_at timestamptz,
  primary key (project_id, device_id, version),
  foreign key (project_id, device_id) references devices on delete cascade
) with (fillfactor = 80);
create index desired_changes_open on desired_changes (project_id, device_id)
  where reported_at is null and replaced_at is null;
create index desired_changes_created on desired_changes (created_at);
create index desired_changes_user on desired_changes (project_id, (set_by ->> 'id'), created_at)
  where set_by ->> 'callerType' = 'user';
