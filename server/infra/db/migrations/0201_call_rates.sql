-- Calls a second of one user of an app, and of all apps or all keys of a project together.
alter table projects
  add column user_call_rate integer not null default 10,
  add column project_call_rate integer not null default 500;
