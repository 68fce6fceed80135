-- What happens when something happens: the smart modules of a project.

create table smart_modules (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  module_type text not null,
  description text not null default '',
  -- Sorted, each once; '*' alone means all.
  subscribed_events text[] not null default '{}',
  -- The classes whose devices it listens to; none: all.
  device_classes text[] not null default '{}',
  bulk_data_label text not null default '',
  data_source_modules text[] not null default '{}',
  config json not null,
  -- The secrets of the config by JSON pointer, encrypted; null: it has none.
  secrets bytea,
  suspended boolean not null default false,
  suspended_because text,
  suspended_at timestamptz,
  parked_because text,
  parked_at timestamptz,
  -- Of a module that works by the clock: when it is due.
  due_at timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  changed_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || description)) stored,
  constraint smart_modules_pkey primary key (project_id, id)
);
create unique index smart_modules_label on smart_modules (project_id, lower(bulk_data_label))
  where bulk_data_label <> '';
create index smart_modules_due on smart_modules (due_at) where due_at is not null and not suspended;

-- Modules read events by (tx, seq): a number is taken before its row can be seen, so numbers alone would skip rows. Older
-- rows have neither, and no reader is ever as far back. Adding the columns first leaves those rows as they are.
create sequence if not exists event_numbers;
alter table device_events add column tx xid8, add column seq bigint;
alter table device_events
  alter column tx set default pg_current_xact_id(), alter column seq set default nextval('event_numbers');
alter table presence_changes add column tx xid8, add column seq bigint;
alter table presence_changes
  alter column tx set default pg_current_xact_id(), alter column seq set default nextval('event_numbers');

-- What a module does, once for each event or time of its clock. Rows of one device are done in the order of `seq`.
create table module_runs (
  project_id text not null,
  module_id text collate "C" not null,
  id text collate "C" not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'held', 'dropped')),
  seq bigint not null,
  -- Null: a run of the clock.
  device_id text collate "C",
  event_id text collate "C",
  event_ts timestamptz,
  event_name text,
  due_at timestamptz,
  is_test boolean not null default false,
  -- The runs that led to the event, first to last.
  caused_by text[] not null default '{}',
  attempts smallint not null default 0,
  created_at timestamptz not null,
  last_at timestamptz,
  ms real,
  summary text not null default '',
  next_at timestamptz,
  -- The attempts, oldest first, each as the API shows it.
  history jsonb not null default '[]',
  primary key (project_id, module_id, id),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
create index module_runs_waiting on module_runs (project_id, module_id, device_id, seq) where state = 'waiting';
create index module_runs_created on module_runs (created_at);

-- How much a module did in an hour.
create table module_hours (
  project_id text not null,
  module_id text collate "C" not null,
  hour timestamptz not null,
  done bigint not null default 0,
  failed bigint not null default 0,
  held bigint not null default 0,
  dropped bigint not null default 0,
  last_at timestamptz,
  last_failed_at timestamptz,
  primary key (project_id, module_id, hour),
  foreign key (project_id, module_id) references smart_modules on delete cascade
);
