-- An e-mail of a rule that waits for the end of quiet hours; its recipients are chosen when it is sent.
create table postponed_mails (
  project_id text not null,
  module_id text collate "C" not null,
  -- The action of a run, as in module_acts.
  run_id text collate "C" not null,
  number smallint not null,
  device_id text collate "C" not null,
  -- The home of the device at that time.
  home_id bigint,
  -- The action with its expressions replaced, encrypted.
  content bytea not null,
  created_at timestamptz not null,
  due_at timestamptz not null,
  primary key (project_id, run_id, number),
  foreign key (project_id, module_id) references smart_modules on delete cascade,
  foreign key (project_id, device_id) references devices on delete cascade
);
create index postponed_mails_due on postponed_mails (due_at);
create index postponed_mails_module on postponed_mails (project_id, module_id);
create index postponed_mails_device on postponed_mails (project_id, device_id);

-- Tests of a module are not part of what it may send in an hour.
alter table module_acts add column is_test boolean not null default false;
alter table notify_sends add column is_test boolean not null default false;
