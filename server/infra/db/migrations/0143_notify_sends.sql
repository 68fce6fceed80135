-- A run of a module that wrote to a home: it is done once, and only so often in an hour. This takes the place of the
-- counts by hour, which let twice as many through around the hour.
drop table notify_hours;

create table notify_sends (
  project_id text not null,
  module_id text collate "C" not null,
  run_id text collate "C" not null,
  home_id bigint not null,
  at timestamptz not null,
  primary key (project_id, module_id, run_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
create index notify_sends_home on notify_sends (project_id, module_id, home_id, at);
create index notify_sends_at on notify_sends (at);
