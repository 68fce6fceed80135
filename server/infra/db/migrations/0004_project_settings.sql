-- The rest of a project (spec §3), its deletion, and what it counts.

alter table projects
  -- How its users find it when they sign in; null: by id only.
  add column public_alias text,
  add column user_account_mode text not null default 'email' check (user_account_mode in ('email', 'external')),
  add column user_auth_message text not null default '',
  add column forget_device_keys boolean not null default false,
  -- Null: no rule but the platform's own.
  add column user_password_policy jsonb,
  add column on_demand_provisioning boolean not null default false,
  add column deactivate_new_homes boolean not null default false,
  add column restrict_user_reg boolean not null default false,
  add column restrict_home_creation boolean not null default false,
  add column allow_public_otau boolean not null default false,
  add column enable_device_log_retrieval boolean not null default false,
  add column alert_retention_period integer not null default 7,
  add column restrict_password_login boolean not null default false,
  add column permission_based_access_control boolean not null default false,
  -- Set at the moment of deletion: from then on nothing of the project is reachable, while a job removes the rows.
  add column deleted_at timestamptz;

create unique index projects_public_alias on projects (lower(public_alias)) where deleted_at is null;

-- Irreversible means irreversible, whoever writes and however many at once.
create function keep_irreversible() returns trigger language plpgsql as $$
begin
  if old.forget_device_keys and not new.forget_device_keys then
    raise exception 'forget_device_keys is irreversible' using errcode = '23514', constraint = 'projects_irreversible';
  end if;
  if old.permission_based_access_control and not new.permission_based_access_control then
    raise exception 'permission_based_access_control is irreversible'
      using errcode = '23514', constraint = 'projects_irreversible';
  end if;
  return new;
end $$;
create trigger projects_irreversible before update on projects for each row execute function keep_irreversible();

-- What a deletion has still to do; outlives the project, so that its end can be watched.
create table project_deletions (
  id text primary key,
  project_id text not null,
  project_name text not null,
  developer_id text not null references developers on delete cascade,
  rows_removed bigint not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);

-- What passed through a project's doors, by day; added to in batches.
create table traffic_counters (
  project_id text not null,
  day date not null,
  kind text not null,
  count bigint not null,
  primary key (project_id, day, kind)
);
