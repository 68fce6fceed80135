-- End users, their sessions, and the homes they share.

create table users (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  -- In one spelling.
  email text,
  name text collate "C" not null default '',
  language text,
  -- By which the developer's own back end knows the user.
  external_id text,
  password_hash text,
  password_set_at timestamptz,
  -- Null: nobody proved yet that the address is theirs.
  verified_at timestamptz,
  suspended boolean not null default false,
  -- The app in which the user registered.
  created_in text,
  last_seen_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (
    search_text(id || ' ' || coalesce(email, '') || ' ' || name || ' ' || coalesce(external_id, ''))) stored,
  primary key (project_id, id),
  constraint users_id unique (id),
  constraint users_email unique (project_id, email),
  constraint users_external_id unique (project_id, external_id)
);
create index users_search on users using gin (project_id, search gin_trgm_ops);
create index users_name on users (project_id, name, id);
create index users_created on users (project_id, created_at, id);
create index users_seen on users (project_id, last_seen_at, id);

-- One sign-in in one app, refreshed until it ends. Kept for 30 days after its end, for the figures.
create table user_sessions (
  project_id text not null,
  id text collate "C" not null,
  user_id text collate "C" not null,
  app_id text collate "C" not null,
  device_name text not null default '',
  address text not null,
  created_at timestamptz not null,
  -- When the user last signed in or proved the password.
  proved_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  end_reason text check (end_reason in ('signedOut', 'expired', 'reused', 'ended')),
  primary key (project_id, id),
  foreign key (project_id, user_id) references users on delete cascade,
  foreign key (project_id, app_id) references apps on delete cascade
);
create index user_sessions_user on user_sessions (project_id, user_id) where ended_at is null;
create index user_sessions_app on user_sessions (project_id, app_id, last_seen_at);
create index user_sessions_ended on user_sessions (ended_at) where ended_at is not null;
create index user_sessions_expires on user_sessions (expires_at) where ended_at is null;

-- Access and refresh tokens of sessions. A used refresh token stays until its session ends: it tells a theft.
create table user_tokens (
  hash bytea primary key,
  project_id text not null,
  session_id text collate "C" not null,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Of a used refresh token: the Idempotency-Key it was used with, hashed, and the answer, sealed.
  used_with bytea,
  successor bytea,
  foreign key (project_id, session_id) references user_sessions on delete cascade
);
create index user_tokens_session on user_tokens (project_id, session_id);
create index user_tokens_expires on user_tokens (expires_at);

create table homes (
  project_id text not null references projects on delete cascade,
  id bigint not null generated always as identity (start with 1001),
  name text collate "C" not null,
  time_zone text not null,
  active boolean not null,
  created_in text,
  -- To whom it is offered, and until when.
  transfer_to text collate "C",
  transfer_offered_at timestamptz,
  transfer_expires_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || name)) stored,
  primary key (project_id, id),
  constraint homes_id unique (id)
);
create index homes_name on homes (project_id, name, id);
create index homes_created on homes (project_id, created_at, id);
create index homes_search on homes using gin (project_id, search gin_trgm_ops);

create table home_members (
  project_id text not null,
  home_id bigint not null,
  user_id text collate "C" not null,
  role text not null check (role in ('owner', 'admin', 'member', 'guest')),
  -- Of a guest: the window, absolute and weekly.
  guest_from timestamptz,
  guest_until timestamptz,
  guest_weekly jsonb,
  joined_at timestamptz not null,
  revision integer not null default 1,
  primary key (project_id, home_id, user_id),
  foreign key (project_id, home_id) references homes on delete cascade,
  -- An owner hands the home over first.
  foreign key (project_id, user_id) references users
);
create unique index home_members_owner on home_members (project_id, home_id) where role = 'owner';
create index home_members_user on home_members (project_id, user_id, home_id);

-- The devices that a guest may see.
create table home_guest_devices (
  project_id text not null,
  home_id bigint not null,
  user_id text collate "C" not null,
  device_id text collate "C" not null,
  may_control boolean not null,
  primary key (project_id, home_id, user_id, device_id),
  foreign key (project_id, home_id, user_id) references home_members on delete cascade,
  foreign key (project_id, device_id) references devices on delete cascade
);
create index home_guest_devices_device on home_guest_devices (project_id, device_id);

-- A device is released before its home goes.
alter table devices
  add column owned_since timestamptz,
  add column claimed_by text,
  add column claimed_how text check (claimed_how in ('claim', 'onDemand', 'added'));
update devices set home_id = null where home_id is not null;
alter table devices
  add constraint devices_home_exists foreign key (project_id, home_id) references homes,
  add constraint devices_owned check ((home_id is null) = (owned_since is null));
