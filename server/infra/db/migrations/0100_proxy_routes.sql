-- By which the apps of a project reach a back end of its developer.
create table proxy_routes (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  resource text not null check (resource in ('project', 'home', 'user', 'device', 'entity')),
  source_path text collate "C" not null,
  target_url text not null,
  description text not null default '',
  suspended boolean not null default false,
  -- What it is limited to; none: nothing.
  home_ids bigint[] not null default '{}',
  device_classes text[] not null default '{}',
  entity_classes text[] not null default '{}',
  entity_ids text[] not null default '{}',
  home_roles text[] not null,
  web_socket boolean not null default false,
  -- The key that calls are signed with: a secret of HMAC, or a private key of Ed25519 (PKCS 8).
  algorithm text not null check (algorithm in ('hmac-sha256', 'ed25519')),
  key_id text collate "C" not null,
  key_sealed bytea not null,
  key_created_at timestamptz not null,
  previous_algorithm text check (previous_algorithm in ('hmac-sha256', 'ed25519')),
  previous_id text collate "C",
  previous_sealed bytea,
  previous_until timestamptz,
  -- Until then bodies are recorded.
  watched_until timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  search text generated always as (
    search_text(id || ' ' || source_path || ' ' || target_url || ' ' || description)) stored,
  primary key (project_id, id),
  constraint proxy_routes_id unique (id)
);

-- How routes are called, by hour.
create table proxy_route_hours (
  project_id text not null,
  route_id text collate "C" not null,
  hour timestamptz not null,
  calls bigint not null,
  failed bigint not null,
  -- How many of them took how long: each bucket ends at a little more than the one before, see the code.
  durations bigint[] not null,
  primary key (project_id, route_id, hour),
  foreign key (project_id, route_id) references proxy_routes on delete cascade
);
create index proxy_route_hours_hour on proxy_route_hours (hour);

-- Why calls failed, by hour: a reason, or a status of 5xx.
create table proxy_route_failures (
  project_id text not null,
  route_id text collate "C" not null,
  hour timestamptz not null,
  code text not null,
  count bigint not null,
  primary key (project_id, route_id, hour, code),
  foreign key (project_id, route_id) references proxy_routes on delete cascade
);
create index proxy_route_failures_hour on proxy_route_failures (hour);

create index log_entries_http_route on log_entries_http (project_id, (detail ->> 'route'), ts desc, id desc)
  where detail ->> 'route' is not null;
