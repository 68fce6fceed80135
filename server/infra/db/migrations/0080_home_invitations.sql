-- Invitations to homes, and what keeps homes and those who may use them true.

create table home_invitations (
  project_id text not null,
  id text collate "C" not null,
  home_id bigint not null,
  -- In one spelling.
  email text not null,
  role text not null check (role in ('admin', 'member', 'guest')),
  -- What a guest may, as it was given.
  guest jsonb,
  -- SHA-256: a token is random, so that no dictionary holds it.
  token_hash bytea not null,
  inviter_type text not null check (inviter_type in ('user', 'developer', 'projectKey')),
  inviter_id text not null,
  -- Of a developer or key; an end user's name is read where it stands.
  inviter_name text not null default '',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint home_invitations_token unique (token_hash),
  -- A newer invitation replaces the one before.
  constraint home_invitations_email unique (project_id, home_id, email),
  foreign key (project_id, home_id) references homes on delete cascade
);
create index home_invitations_of_email on home_invitations (project_id, email);
create index home_invitations_expires on home_invitations (expires_at);

create index homes_transfer on homes (transfer_expires_at) where transfer_expires_at is not null;

-- Names sort without accents and case.
alter table homes add column name_order text collate "C" generated always as (search_text(name)) stored;
drop index homes_name;
create index homes_name on homes (project_id, name_order, id);
