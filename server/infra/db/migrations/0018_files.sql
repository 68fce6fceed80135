-- Places in the store that nobody keeps: of writes that are under way, until it is sure that they were killed, and of
-- files whose row is gone. A job removes what is due.
create table unkept_files (
  place text collate "C" primary key,
  due_at timestamptz not null
);
create index unkept_files_due on unkept_files (due_at);

-- However a row with a file goes, and whoever takes its file away: the file goes after it.
create function let_go_of_file() returns trigger language plpgsql as $$
begin
  insert into unkept_files (place, due_at) values (old.file, now()) on conflict (place) do nothing;
  return null;
end $$;
create trigger log_requests_file_gone after delete on log_requests
  for each row when (old.file is not null) execute function let_go_of_file();
create trigger log_requests_file_left after update of file on log_requests
  for each row when (old.file is not null and old.file is distinct from new.file) execute function let_go_of_file();
create trigger device_imports_file_gone after delete on device_imports
  for each row when (old.file is not null) execute function let_go_of_file();
create trigger device_imports_file_left after update of file on device_imports
  for each row when (old.file is not null and old.file is distinct from new.file) execute function let_go_of_file();

create index log_requests_finished on log_requests (finished_at) where finished_at is not null;
create index device_actions_created on device_actions (created_at);
create index device_imports_created on device_imports (created_at);
