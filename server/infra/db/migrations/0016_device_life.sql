-- What devices do: presence, what they say, what is said to them, and what is asked of many at once.

-- Whether a device is connected. A row from its creation on, apart from `devices`, whose indexes are many. Written by
-- the gateways alone.
create table device_presence (
  project_id text not null,
  device_id text collate "C" not null,
  device_class text collate "C" not null,
  -- `infinity` while it is connected, else when its last connection ended; null: it never was. One index serves the
  -- order by it and the filter on it.
  seen_at timestamptz,
  since timestamptz,
  reason text,
  address text,
  protocol text,
  last_message_at timestamptz,
  -- The last time it was turned away, or held back, for the health check.
  rejected_at timestamptz,
  rejected_reason text,
  limited_at timestamptz,
  primary key (project_id, device_id),
  foreign key (project_id, device_id) references devices on delete cascade
) with (fillfactor = 80);
create index device_presence_seen on device_presence (project_id, device_class, seen_at, device_id);

-- A process that holds connections. Who does not renew the lease is dead, and its connections with it.
create table gateways (
  id text primary key,
  started_at timestamptz not null,
  lease_until timestamptz not null
);

create sequence connection_numbers;

-- The connections open just now. A device is connected while it has one here.
create table device_connections (
  project_id text not null,
  device_id text collate "C" not null,
  client_id text not null,
  -- Counts up over all connections: the end of an older one cannot be taken for the end of a newer.
  number bigint not null,
  gateway_id text not null,
  protocol text not null,
  address text not null,
  temporary boolean not null,
  since timestamptz not null,
  primary key (project_id, device_id, client_id),
  foreign key (project_id, device_id) references devices on delete cascade
);
create index device_connections_gateway on device_connections (gateway_id);

-- Each time a device came or went; 30 days.
create table presence_changes (
  project_id text not null,
  device_id text collate "C" not null,
  at timestamptz not null,
  -- Two changes within a millisecond stay in their order.
  number bigint not null,
  connected boolean not null,
  reason text,
  primary key (project_id, device_id, at, number)
) partition by range (at);

create table device_states (
  project_id text not null,
  device_id text collate "C" not null,
  reported jsonb not null default '{}',
  reported_at timestamptz,
  desired jsonb not null default '{}',
  desired_at timestamptz,
  desired_version integer not null default 0,
  installed jsonb,
  installed_at timestamptz,
  progress jsonb,
  progress_at timestamptz,
  primary key (project_id, device_id),
  foreign key (project_id, device_id) references devices on delete cascade
);

create table device_entities (
  project_id text not null,
  device_id text collate "C" not null,
  name text collate "C" not null,
  class text not null,
  state jsonb,
  primary key (project_id, device_id, name),
  foreign key (project_id, device_id) references devices on delete cascade
);

-- What devices said; 30 days, dropped by partition. One index, since a row is written for every message.
create table device_events (
  project_id text not null,
  device_id text collate "C" not null,
  ts timestamptz not null,
  id text collate "C" not null,
  name text not null,
  payload json not null,
  primary key (project_id, device_id, ts, id)
) partition by range (ts);

create table alerts (
  project_id text not null,
  id text collate "C" not null,
  device_id text collate "C" not null,
  ts timestamptz not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  text text not null,
  event text not null,
  primary key (project_id, id),
  foreign key (project_id, device_id) references devices on delete cascade
);
create index alerts_device on alerts (project_id, device_id, ts desc);
create index alerts_ts on alerts (project_id, ts);

create table device_commands (
  project_id text not null,
  device_id text collate "C" not null,
  id text collate "C" not null,
  name text not null,
  args json not null,
  stage text not null default 'queued'
    check (stage in ('queued', 'sent', 'acknowledged', 'done', 'failed', 'expired', 'cancelled')),
  sent_by jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  acknowledged_at timestamptz,
  finished_at timestamptz,
  result json,
  error text,
  primary key (project_id, device_id, id),
  foreign key (project_id, device_id) references devices on delete cascade
);
create index device_commands_open on device_commands (device_id, id) where stage in ('queued', 'sent', 'acknowledged');
create index device_commands_expire on device_commands (expires_at) where stage in ('queued', 'sent', 'acknowledged');
create index device_commands_created on device_commands (created_at);

-- Messages that broke a schema of their class: kept, not acted on.
create table quarantine (
  project_id text not null,
  device_class text collate "C" not null,
  ts timestamptz not null,
  id text collate "C" not null,
  device_id text not null,
  kind text not null check (kind in ('state', 'event')),
  name text,
  payload json not null,
  faults jsonb not null,
  primary key (project_id, device_class, ts, id),
  foreign key (project_id, device_class) references device_classes on delete cascade
);
create index quarantine_ts on quarantine (ts);

create table log_requests (
  project_id text not null,
  device_id text collate "C" not null,
  id text collate "C" not null,
  status text not null default 'requested'
    check (status in ('requested', 'uploading', 'cancelled', 'failure', 'success', 'nologs')),
  ts timestamptz not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  prefixes text[] not null,
  -- Until when the device may answer.
  expires_at timestamptz not null,
  uploading_at timestamptz,
  finished_at timestamptz,
  -- Its place in the store.
  file text,
  size_bytes bigint,
  error text,
  primary key (project_id, device_id, id),
  foreign key (project_id, device_id) references devices on delete cascade
);
-- One at a time, however many ask at once.
create unique index log_requests_pending on log_requests (project_id, device_id)
  where status in ('requested', 'uploading');
create index log_requests_expire on log_requests (expires_at) where status in ('requested', 'uploading');

-- Actions on many devices, and imports: they go on where a killed process stopped.
create table device_actions (
  project_id text not null references projects on delete cascade,
  id text not null,
  action text not null check (action in ('suspend', 'resume', 'move', 'delete')),
  -- What was asked: the filter, the channel, and who asked.
  asked jsonb not null,
  state text not null check (state in ('running', 'done', 'failed')),
  total bigint not null,
  done bigint not null default 0,
  -- The last device that is done.
  cursor text collate "C" not null default '',
  error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, id)
);

create table device_imports (
  project_id text not null references projects on delete cascade,
  id text not null,
  device_class text collate "C" not null,
  format text not null check (format in ('json', 'csv')),
  ids text not null check (ids in ('keep', 'new')),
  state text not null check (state in ('waiting', 'checking', 'checked', 'applying', 'done', 'failed')),
  file text,
  lines integer not null default 0,
  good integer not null default 0,
  bad integer not null default 0,
  faults jsonb not null default '[]',
  created integer not null default 0,
  error text,
  created_by jsonb not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
