-- The apps of a product, and the keys of its developer's back ends.

create table apps (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  description text not null default '',
  -- Sorted, each once; '*' alone means all.
  subscribed_events text[] not null default '{*}',
  user_sessions_ttl_s integer not null check (user_sessions_ttl_s > 0),
  -- As it was written.
  config json not null default '{}',
  redirects text[] not null default '{}',
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || description)) stored,
  constraint apps_pkey primary key (project_id, id)
);

create table keys (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  suspended boolean not null default false,
  can_send_commands boolean not null,
  can_send_events boolean not null,
  can_handle_byou boolean not null,
  can_update_kv_stores boolean not null,
  can_admin boolean not null,
  -- SHA-256: a secret is random, so that no dictionary holds it.
  secret_hash bytea not null,
  secret_end text not null,
  secret_created_at timestamptz not null,
  previous_hash bytea,
  previous_end text,
  previous_until timestamptz,
  -- Addresses and networks it may be used from; none: from anywhere.
  addresses text[] not null default '{}',
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_from text,
  advice_snoozed_until timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  search text generated always as (search_text(id || ' ' || name || ' ' || description)) stored,
  primary key (project_id, id),
  constraint keys_id unique (id),
  constraint keys_secret unique (secret_hash)
);
create unique index keys_previous on keys (previous_hash) where previous_hash is not null;
