-- What the keys of back ends were used for.

alter table keys
  add column previous_uses bigint not null default 0,
  add column previous_used_at timestamptz,
  add column previous_used_from text;

-- Calls by capability, and those refused, on one day (UTC).
create table key_uses (
  project_id text not null,
  key_id text collate "C" not null,
  day date not null,
  kind text not null,
  calls bigint not null,
  last_at timestamptz not null,
  primary key (project_id, key_id, day, kind),
  foreign key (project_id, key_id) references keys on delete cascade
);
create index key_uses_day on key_uses (day);

-- The calls of one day by where they came from; past a number of addresses they are no longer told apart.
create table key_addresses (
  project_id text not null,
  key_id text collate "C" not null,
  day date not null,
  address text not null,
  calls bigint not null,
  primary key (project_id, key_id, day, address),
  foreign key (project_id, key_id) references keys on delete cascade
);
create index key_addresses_day on key_addresses (day);

-- The latest refused calls of each key.
create table key_refusals (
  project_id text not null,
  key_id text collate "C" not null,
  id bigint not null generated always as identity,
  ts timestamptz not null,
  method text not null,
  path text not null,
  reason text not null,
  address text not null,
  primary key (project_id, key_id, id),
  foreign key (project_id, key_id) references keys on delete cascade
);
create index key_refusals_ts on key_refusals (ts);
