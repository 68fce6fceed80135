-- A row only where the developer changed the default; deleting it reverts.
create table email_templates (
  project_id text not null references projects on delete cascade,
  id text not null,
  subject text not null,
  body text not null,
  revision integer not null default 1,
  primary key (project_id, id)
);

create table user_auth_methods (
  project_id text not null references projects on delete cascade,
  id text not null,
  label text not null,
  description text not null default '',
  icon_url text not null default '',
  protocol text not null check (protocol = 'oidc'),
  issuer text not null,
  client_id text not null,
  -- Sealed; never answered.
  client_secret bytea not null,
  revision integer not null default 1,
  created_at timestamptz not null,
  primary key (project_id, id)
);

-- One row for each sign-in under way at a provider: what its answer is checked against. Ten minutes.
create table user_auth_flows (
  -- Hash of the `state` that goes round by the browser.
  state_hash bytea primary key,
  id text not null unique,
  project_id text not null references projects on delete cascade,
  method_id text not null,
  developer_id text not null references developers on delete cascade,
  -- Sealed: PKCE verifier and nonce.
  secrets bytea not null,
  outcome jsonb,
  created_at timestamptz not null,
  used_at timestamptz
);
create index user_auth_flows_created on user_auth_flows (created_at);
