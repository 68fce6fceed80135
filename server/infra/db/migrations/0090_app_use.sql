-- How apps are called, by hour.
create table app_hours (
  project_id text not null,
  app_id text collate "C" not null,
  hour timestamptz not null,
  calls bigint not null,
  -- How many of them took how long: each bucket ends at a little more than the one before, see the code.
  durations bigint[] not null,
  config_reads bigint not null,
  config_read_at timestamptz,
  primary key (project_id, app_id, hour),
  foreign key (project_id, app_id) references apps on delete cascade
);
create index app_hours_hour on app_hours (hour);

-- Who called an app on a day (UTC), with a bit for each hour of it.
create table app_user_days (
  project_id text not null,
  app_id text collate "C" not null,
  day date not null,
  user_id text collate "C" not null,
  hours integer not null,
  primary key (project_id, app_id, day, user_id),
  foreign key (project_id, app_id) references apps on delete cascade,
  foreign key (project_id, user_id) references users on delete cascade
);
create index app_user_days_day on app_user_days (day);
create index app_user_days_user on app_user_days (project_id, user_id);

-- The events of devices by class, name and hour.
create table event_hours (
  project_id text not null,
  device_class text collate "C" not null,
  name text not null,
  hour timestamptz not null,
  count bigint not null,
  primary key (project_id, hour, device_class, name)
);
create index event_hours_hour on event_hours (hour);
