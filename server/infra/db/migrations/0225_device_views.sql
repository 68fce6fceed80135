-- Named searches, filters and orders of the device list, shared by the team.
create table device_views (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  name text not null,
  -- What the device list is asked for.
  query jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  primary key (project_id, id)
);
create index device_views_by_id on device_views (id);
-- What sounds the same is the same name.
create unique index device_views_name on device_views (project_id, search_text(name));
