-- The devices for which a run of a schedule has done what it is for: one that goes on after a break does it for the others.
create table schedule_acts (
  project_id text not null,
  module_id text collate "C" not null,
  run_id text collate "C" not null,
  device_id text collate "C" not null,
  at timestamptz not null,
  primary key (project_id, run_id, device_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
create index schedule_acts_module on schedule_acts (project_id, module_id);
create index schedule_acts_at on schedule_acts (at);
