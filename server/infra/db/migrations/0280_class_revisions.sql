-- What a device class was after each of its changes: the latest ones, each whole.
create table device_class_revisions (
  project_id text not null,
  device_class text collate "C" not null,
  revision integer not null,
  description text not null,
  -- As they were written: members keep their order.
  state_schema json,
  event_schemas json,
  command_schemas json,
  offer_minutes integer not null,
  download_minutes integer not null,
  install_minutes integer not null,
  reboot_minutes integer not null,
  sends_deltas boolean not null,
  -- The fields in which it differs from the revision before; empty for the first that is kept.
  changed text[] not null default '{}',
  bytes integer not null,
  -- Null: from before revisions were kept.
  saved_at timestamptz,
  saved_by text,
  saved_by_name text not null default '',
  primary key (project_id, device_class, revision),
  foreign key (project_id, device_class) references device_classes on delete cascade
);

-- A class that was never changed was saved when it was created; when others were, nobody wrote down here.
insert into device_class_revisions
  (project_id, device_class, revision, description, state_schema, event_schemas, command_schemas,
   offer_minutes, download_minutes, install_minutes, reboot_minutes, sends_deltas, bytes, saved_at)
select project_id, id, revision, description, state_schema, event_schemas, command_schemas,
  offer_minutes, download_minutes, install_minutes, reboot_minutes, sends_deltas,
  octet_length(concat(description, state_schema, event_schemas, command_schemas)),
  case when revision = 1 then created_at end
from device_classes;
