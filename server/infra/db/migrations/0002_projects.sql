create table projects (
  id text primary key,
  org_id text not null references organizations,
  name text not null,
  description text not null default '',
  is_sample boolean not null default false,
  -- Whose maxProjects it counts against.
  created_by text not null references developers,
  revision integer not null default 1,
  created_at timestamptz not null
);
create index projects_created_by on projects (created_by);

create table project_members (
  project_id text not null references projects on delete cascade,
  developer_id text not null references developers on delete cascade,
  role text not null check (role in ('viewer', 'developer', 'owner')),
  created_at timestamptz not null,
  primary key (project_id, developer_id)
);
create index project_members_developer on project_members (developer_id);
