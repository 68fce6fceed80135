-- Organizations, developers and everything that lets a developer in.

create table organizations (
  id text primary key,
  name text not null,
  open_to_sign_ups boolean not null default true,
  -- The console address this organization is found by; null: it is found by its path only.
  console_base_url text unique,
  -- Origins other than our own from which its console may call.
  allowed_origins text[] not null default '{}',
  require_verification boolean not null default false,
  require_two_factor boolean not null default false,
  created_at timestamptz not null default now()
);

insert into organizations (id, name) values ('default', 'Mooring');

create table developers (
  id text primary key,
  org_id text not null references organizations,
  -- Normalised: one account for an address however it is spelt.
  email text not null,
  pending_email text,
  name text not null,
  -- Null until an invitation is accepted.
  password_hash text,
  verified boolean not null default false,
  suspended boolean not null default false,
  max_projects integer not null default 10,
  onboard_states jsonb not null default '{}',
  -- Sealed; present from the start of the set-up, in force when totp_active.
  totp_secret bytea,
  totp_active boolean not null default false,
  -- The last time step a code was accepted for: a code is accepted once.
  totp_last_step bigint not null default 0,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  constraint developers_email unique (org_id, email)
);

create table recovery_codes (
  developer_id text not null references developers on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  primary key (developer_id, hash)
);

create table sessions (
  hash bytea primary key,
  -- What the developer sees and names when ending one; tells nothing of the token.
  id text not null unique,
  developer_id text not null references developers on delete cascade,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the password was last proven in it.
  proved_at timestamptz not null,
  address text not null,
  user_agent text not null,
  sudoer text
);
create index sessions_developer on sessions (developer_id);

-- Links and second steps: single use, short-lived, only their hash is kept.
create table tokens (
  hash bytea primary key,
  purpose text not null check (purpose in ('verification', 'activation', 'reset', 'sudo', 'auth2F')),
  org_id text not null references organizations on delete cascade,
  developer_id text references developers on delete cascade,
  data jsonb not null default '{}',
  attempts integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index tokens_developer on tokens (developer_id, purpose);
create index tokens_expires on tokens (expires_at);

-- Failed guesses by account, by address and by account from a known browser. Survives restarts.
create table login_failures (
  key bytea primary key,
  failures integer not null,
  blocked_until timestamptz not null,
  last_at timestamptz not null
);
create index login_failures_last on login_failures (last_at);

-- What a repeated POST answers with; kept 24 hours.
create table idempotency_keys (
  caller text not null,
  key text not null,
  request_hash bytea not null,
  -- Sealed: an answer may hold what is shown once.
  answer bytea,
  created_at timestamptz not null,
  primary key (caller, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table mails (
  id text primary key,
  recipient text not null,
  subject text not null,
  -- Sealed JSON of text and html: links in it are as good as passwords. Removed once sent.
  content bytea,
  created_at timestamptz not null,
  sent_at timestamptz,
  attempts integer not null default 0,
  error text
);
create index mails_created on mails (created_at desc);
