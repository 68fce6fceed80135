-- A call names a component, a version, an upload or a bundle by its id alone.
create unique index components_id on components (id);
create unique index component_versions_id on component_versions (id);
create unique index version_uploads_id on version_uploads (id);
create unique index bundles_id on bundles (id);

-- However a version or an upload goes: its file goes after it.
create function let_go_of_place() returns trigger language plpgsql as $$
begin
  insert into unkept_files (place, due_at) values (old.place, now()) on conflict (place) do nothing;
  return null;
end $$;
create trigger component_versions_file_gone after delete on component_versions
  for each row when (old.place is not null) execute function let_go_of_place();
create trigger component_versions_file_left after update of place on component_versions
  for each row when (old.place is not null and old.place is distinct from new.place) execute function let_go_of_place();
