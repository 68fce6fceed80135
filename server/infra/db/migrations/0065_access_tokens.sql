-- Tokens that scripts call the API with, as their developer.
create table access_tokens (
  id text primary key,
  -- SHA-256; the token itself is shown once.
  hash bytea not null unique,
  developer_id text not null references developers on delete cascade,
  name text not null,
  scope text not null check (scope in ('read', 'firmware', 'all')),
  -- Null: all projects of the developer. An id of a deleted project stays: without it the token would reach more.
  project_ids text[] check (cardinality(project_ids) > 0),
  -- Its first characters.
  start text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_from text
);
create index access_tokens_developer on access_tokens (developer_id, created_at);
create index access_tokens_expires on access_tokens (expires_at);
