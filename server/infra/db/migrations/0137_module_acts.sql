-- The actions that runs of modules have carried out, so that a run that is done again does none of them twice.
create table module_acts (
  project_id text not null,
  module_id text collate "C" not null,
  run_id text collate "C" not null,
  -- Its place among the actions of the run.
  number smallint not null,
  kind text not null,
  summary text not null,
  at timestamptz not null,
  primary key (project_id, run_id, number),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
create index module_acts_at on module_acts (at);
create index module_acts_mails on module_acts (project_id, module_id, at) where kind = 'email';

-- What a rule remembers of a device: whether its condition holds, and since when.
create table rule_states (
  project_id text not null,
  module_id text collate "C" not null,
  device_id text collate "C" not null,
  -- What it is a state of: another condition starts anew.
  condition_key text not null,
  holds boolean not null default false,
  since timestamptz,
  -- Whether the rule has acted since then.
  acted boolean not null default false,
  -- The event by which it began to hold, and the runs that led to it.
  event_id text,
  event_name text,
  caused_by text[] not null default '{}',
  -- When it will have held for long enough.
  due_at timestamptz,
  -- When the rule acted last, by the event's time, and in which run.
  acted_at timestamptz,
  acted_run text,
  primary key (project_id, module_id, device_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade,
  foreign key (project_id, device_id) references devices on delete cascade
);
create index rule_states_device on rule_states (project_id, device_id);
create index rule_states_due on rule_states (due_at) where due_at is not null;

-- Events by which a condition no longer held after the rule had acted: their runs resolve its alerts.
create table rule_falls (
  project_id text not null,
  module_id text collate "C" not null,
  event_id text collate "C" not null,
  at timestamptz not null,
  primary key (project_id, module_id, event_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
create index rule_falls_at on rule_falls (at);
