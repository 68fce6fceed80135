-- What e-mails to end users prove: a code to type, or the token of a link.

alter table users add column new_email text;

create table user_codes (
  -- Of the link's token.
  hash bytea primary key,
  project_id text not null,
  user_id text collate "C" not null,
  purpose text not null check (purpose in ('verification', 'emailChange', 'reset', 'invite')),
  -- The address it was sent to, and proves.
  email text not null,
  -- Keyed hash: six digits are soon guessed from a plain one. Null: the e-mail has a link alone.
  code bytea,
  code_expires_at timestamptz,
  tries_left integer not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A newer e-mail replaces the one before.
  constraint user_codes_user unique (project_id, user_id, purpose),
  foreign key (project_id, user_id) references users on delete cascade
);
create index user_codes_expires on user_codes (expires_at);
