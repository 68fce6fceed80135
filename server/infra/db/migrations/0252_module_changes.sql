-- Dispatchers ask many times a second whether any module of their projects changed. The changes are counted, in parts, so
-- that two who change a module at once do not wait for each other; all modules would be too many to look at.
create table module_changes (
  shard smallint not null,
  part smallint not null,
  changes bigint not null,
  primary key (shard, part)
);
create function count_module_change() returns trigger language plpgsql as $$
begin
  insert into module_changes as c (shard, part, changes)
  values (module_shard(case tg_op when 'DELETE' then old.project_id else new.project_id end), pg_backend_pid() % 64, 1)
  on conflict (shard, part) do update set changes = c.changes + 1;
  return null;
end $$;
create trigger smart_modules_changed_in after insert or delete on smart_modules
  for each row execute function count_module_change();
create trigger smart_modules_changed after update of revision on smart_modules
  for each row when (old.revision <> new.revision) execute function count_module_change();

create index smart_modules_shard on smart_modules (module_shard(project_id));
