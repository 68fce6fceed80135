-- What makes the file of a version from one that devices have: made once, for all of them.

alter table device_classes add column sends_deltas boolean not null default false;

create table firmware_deltas (
  project_id text not null,
  version_id text collate "C" not null,
  -- The checksum of the file that the devices have, in lower-case hexadecimal digits.
  from_sha256 text collate "C" not null,
  -- `wanted`, `ready`, or `useless` if it saves too little or could not be made.
  state text not null default 'wanted',
  place text,
  size_bytes bigint,
  sha256 text,
  created_at timestamptz not null,
  primary key (project_id, version_id, from_sha256),
  foreign key (project_id, version_id) references component_versions on delete cascade,
  constraint firmware_deltas_file check (state <> 'ready' or (place is not null and size_bytes is not null and sha256 is not null))
);
create index firmware_deltas_age on firmware_deltas (created_at);
create trigger firmware_deltas_file_gone after delete on firmware_deltas
  for each row when (old.place is not null) execute function let_go_of_place();

-- How large the deltas were that the device was offered in place of whole files; null: none was.
alter table device_targets add column delta_bytes bigint;
alter table device_updates add column delta_bytes bigint;
