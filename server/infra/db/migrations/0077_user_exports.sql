-- What is exported of an end user, and what erasing one looks for.

create table user_exports (
  project_id text not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  -- Of this home alone, with none of the account.
  home_id bigint,
  state text not null check (state in ('running', 'done', 'failed')),
  -- The devices whose events are exported, as { id, home, since }: they may be released meanwhile.
  devices jsonb not null,
  created_at timestamptz not null,
  file text,
  size_bytes bigint,
  primary key (project_id, id),
  foreign key (project_id, user_id) references users on delete cascade
);
create index user_exports_user on user_exports (project_id, user_id, created_at);
create index user_exports_created on user_exports (created_at);
create index user_exports_running on user_exports (project_id) where state = 'running';
create trigger user_exports_file_gone after delete on user_exports
  for each row when (old.file is not null) execute function let_go_of_file();
create trigger user_exports_file_left after update of file on user_exports
  for each row when (old.file is not null and old.file is distinct from new.file) execute function let_go_of_file();

create index device_commands_user on device_commands (project_id, (sent_by ->> 'id'), created_at)
  where sent_by ->> 'callerType' = 'user';
create index mails_recipient on mails (recipient);
