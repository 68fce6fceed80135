-- A project whose modules need longer than others can wait is dispatched apart from its shard, with a cursor of its own,
-- until it has caught up.
create table module_late_projects (
  project_id text primary key references projects on delete cascade,
  -- Everything up to this row was read.
  tx xid8 not null,
  seq bigint not null
);
