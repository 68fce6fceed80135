-- What modules have for others, which signing secrets they had, and who does not want their e-mails.

-- The data that a module has for others: the last good answer of one that fetches.
create table module_data (
  project_id text not null,
  module_id text collate "C" not null,
  -- Null: nothing was fetched yet. Kept as it came.
  data json,
  bytes integer not null default 0,
  at timestamptz,
  -- Of the address: by which the next fetch asks whether anything changed.
  etag text,
  last_modified text,
  -- What it was fetched from, hashed: of another address, neither of them counts.
  source text not null default '',
  tried_at timestamptz,
  fault text,
  -- Of a table: the version in use.
  version integer not null default 0,
  -- Rises when the data changes: readers keep what they parsed by it.
  revision bigint not null default 1,
  primary key (project_id, module_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);

-- A version of the data of a table.
create table table_versions (
  project_id text not null,
  module_id text collate "C" not null,
  version integer not null,
  -- The columns with their types, and the rows, each a list of values in their order.
  columns json not null,
  rows json not null,
  row_count integer not null,
  bytes integer not null,
  saved_at timestamptz not null,
  saved_by text not null,
  primary key (project_id, module_id, version),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);

-- The signing secret of a webhook, and the one before, which signs as well for a while.
create table webhook_secrets (
  project_id text not null,
  module_id text collate "C" not null,
  secret bytea not null,
  previous bytea,
  previous_until timestamptz,
  primary key (project_id, module_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);

-- How far the warnings of a webhook that only fails have gone.
create table webhook_warnings (
  project_id text not null,
  module_id text collate "C" not null,
  failing_since timestamptz not null,
  -- Of the mails: how many were sent.
  sent smallint not null,
  primary key (project_id, module_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);

-- An end user who wants no e-mails of a module.
create table notify_refusals (
  project_id text not null,
  module_id text collate "C" not null,
  user_id text collate "C" not null,
  refused_at timestamptz not null,
  primary key (project_id, module_id, user_id),
  foreign key (project_id, module_id) references smart_modules on delete cascade,
  foreign key (project_id, user_id) references users on delete cascade
);
create index notify_refusals_user on notify_refusals (project_id, user_id);

-- How many times a module wrote to a home in an hour.
create table notify_hours (
  project_id text not null,
  module_id text collate "C" not null,
  home_id bigint not null,
  hour timestamptz not null,
  count integer not null,
  primary key (project_id, module_id, home_id, hour),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
create index notify_hours_hour on notify_hours (hour);
