-- End users who sign in at a provider.

-- Who somebody is at a provider: never by e-mail address alone.
create table user_identities (
  project_id text not null,
  method_id text not null,
  issuer text not null,
  sub text collate "C" not null,
  user_id text collate "C" not null,
  linked_at timestamptz not null,
  primary key (project_id, method_id, issuer, sub),
  -- A user has a method once.
  constraint user_identities_user unique (project_id, user_id, method_id),
  foreign key (project_id, user_id) references users on delete cascade,
  foreign key (project_id, method_id) references user_auth_methods on delete cascade
);

-- A sign-in of an end user at a provider, from its start to the exchange of its code.
create table user_sign_ins (
  id text collate "C" primary key,
  project_id text not null,
  method_id text not null,
  app_id text collate "C" not null,
  -- The state sent to the provider, and the one-time code sent to the app: only their hashes.
  state_hash bytea not null unique,
  code_hash bytea unique,
  code_at timestamptz,
  -- Where it returns to, with what, and the challenge of the app's own code verifier.
  redirect_uri text not null,
  app_state text,
  code_challenge text not null,
  -- The signed-in user to whose account the method is added.
  link_user_id text collate "C",
  -- Verifier and nonce, later what the provider said; sealed.
  secrets bytea not null,
  created_at timestamptz not null,
  returned_at timestamptz,
  finished_at timestamptz,
  foreign key (project_id, method_id) references user_auth_methods on delete cascade,
  foreign key (project_id, app_id) references apps on delete cascade
);
create index user_sign_ins_created on user_sign_ins (created_at);
create index user_sign_ins_method on user_sign_ins (project_id, method_id);

alter table user_auth_methods
  -- True: what the provider says of an e-mail address counts as proven here.
  add column trusts_email boolean not null default false,
  -- False: the method was registered at its provider with the address that all methods shared.
  add column own_callback boolean not null default true;
update user_auth_methods set own_callback = false;
