-- A module whose expression had to be stopped, or ended the process that evaluated it, rests before it is evaluated again.
create table module_rests (
  project_id text not null,
  module_id text not null,
  strikes smallint not null,
  until timestamptz not null,
  because text not null,
  at timestamptz not null,
  primary key (project_id, module_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);

-- Whoever changes or resumes a module gives it another chance.
create function forget_rest() returns trigger language plpgsql as $$
begin
  delete from module_rests where project_id = new.project_id and module_id = new.id;
  return null;
end $$;
create trigger smart_modules_rest_forgotten after update of suspended, config, data_source_modules on smart_modules
  for each row when (old.suspended and not new.suspended or old.config::text is distinct from new.config::text
    or old.data_source_modules is distinct from new.data_source_modules)
  execute function forget_rest();

-- How many holders of a shard in a row ended without storing anything: what they evaluated may have ended them.
alter table module_shards add column deaths smallint not null default 0;
