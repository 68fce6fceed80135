-- Rollouts, and what each device should run.

-- At most one unfinished rollout for a channel.
create table rollouts (
  project_id text not null,
  id text collate "C" not null,
  device_class text collate "C" not null,
  channel_id text collate "C" not null,
  bundle_id text collate "C" not null,
  -- Where the channel pointed when it was made.
  from_bundle_id text collate "C",
  -- `draft`, `running`, `paused`, `finished`, `stopped`, `superseded`
  state text not null,
  -- The rollout that it takes back.
  rolls_back text collate "C",
  -- [{percent, startsBy: 'itself' | 'hand'}], of chosen devices [{chosen: true, …}]
  steps jsonb not null,
  -- Counted from 0.
  step integer not null default 0,
  step_started_at timestamptz,
  -- Since when the step is settled: its soak time runs.
  settled_at timestamptz,
  -- Devices a minute; null: as many as there are.
  rate integer,
  -- Each device waits a random part of it before it is offered the bundle.
  delay_s integer not null default 0,
  soak_s integer not null,
  failure_percent real not null,
  -- Gates that are on: failures, presence, reboots, stalled.
  gates text[] not null,
  -- Devices that would go down stay as they are.
  leaves_out_downgrades boolean not null default false,
  -- `person` or a gate, and why, as a sentence.
  paused_by text,
  pause_cause text,
  created_by text,
  created_by_name text not null default '',
  revision integer not null default 1,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  primary key (project_id, id),
  constraint rollouts_channel foreign key (project_id, channel_id) references channels on delete cascade,
  constraint rollouts_bundle foreign key (project_id, device_class, bundle_id) references bundles (project_id, device_class, id),
  constraint rollouts_from_bundle foreign key (project_id, device_class, from_bundle_id) references bundles (project_id, device_class, id)
);
create unique index rollouts_unfinished on rollouts (project_id, channel_id) where state in ('draft', 'running', 'paused');
create index rollouts_by_time on rollouts (project_id, created_at desc, id);
create index rollouts_running on rollouts (state) where state in ('running', 'paused');

-- A device that a rollout admitted, or that was chosen for its first step.
create table rollout_devices (
  project_id text not null,
  rollout_id text collate "C" not null,
  device_id text collate "C" not null,
  step integer not null,
  -- Null: chosen, and not yet admitted.
  admitted_at timestamptz,
  -- When it is offered the bundle.
  due_at timestamptz,
  -- Null: not settled. `updated`, `failed`, `unable`, `declined`, `left`
  outcome text,
  settled_at timestamptz,
  code text,
  error text,
  primary key (project_id, rollout_id, device_id),
  foreign key (project_id, rollout_id) references rollouts on delete cascade,
  foreign key (project_id, device_id) references devices on delete cascade
);
create index rollout_devices_of on rollout_devices (project_id, device_id);

create table rollout_events (
  project_id text not null,
  rollout_id text collate "C" not null,
  id text collate "C" not null,
  at timestamptz not null,
  kind text not null,
  text text not null,
  -- Null: the platform.
  actor_id text,
  actor_name text not null default '',
  primary key (project_id, rollout_id, id),
  foreign key (project_id, rollout_id) references rollouts on delete cascade
);

-- How far a rollout was, for its chart.
create table rollout_progress (
  project_id text not null,
  rollout_id text collate "C" not null,
  at timestamptz not null,
  admitted integer not null,
  updated integer not null,
  active integer not null,
  failed integer not null,
  primary key (project_id, rollout_id, at),
  foreign key (project_id, rollout_id) references rollouts on delete cascade
);

-- What a device should run, as it was last decided, and how far it is with it.
create table device_targets (
  project_id text not null,
  device_id text collate "C" not null,
  device_class text collate "C" not null,
  -- Rises when the bundle changes, and never else.
  sequence integer not null,
  -- Null: it is no longer told what to run.
  bundle_id text collate "C",
  -- `pin`, `rollout` or `channel`
  origin text,
  rollout_id text collate "C",
  assigned_at timestamptz not null,
  -- When it was first handed to the device.
  offered_at timestamptz,
  state text not null,
  state_at timestamptz not null,
  -- How long the device was connected since then, up to the time beside it: clocks stand still while it is away.
  connected_ms bigint not null default 0,
  counted_at timestamptz,
  component text,
  percent real,
  bytes bigint not null default 0,
  failure text,
  code text,
  error text,
  -- Failures of this bundle on this device that count as one more try.
  attempts integer not null default 0,
  retry_at timestamptz,
  primary key (project_id, device_id),
  foreign key (project_id, device_id) references devices on delete cascade
);
create index device_targets_rollout on device_targets (project_id, rollout_id, state) where rollout_id is not null;
create index device_targets_retry on device_targets (retry_at) where retry_at is not null;
create index device_targets_active on device_targets (project_id, state, state_at)
  where state not in ('done', 'failed', 'declined', 'none');

-- What a device was told to run before, and what came of it.
create table device_updates (
  project_id text not null,
  device_id text collate "C" not null,
  sequence integer not null,
  bundle_id text collate "C",
  bundle_name text not null,
  origin text,
  rollout_id text collate "C",
  assigned_at timestamptz not null,
  offered_at timestamptz,
  ended_at timestamptz not null,
  state text not null,
  failure text,
  code text,
  error text,
  attempts integer not null default 0,
  bytes bigint not null default 0,
  primary key (project_id, device_id, sequence),
  foreign key (project_id, device_id) references devices on delete cascade
);

-- The place of a device in a rollout, from 0 to 9,999: drawn from both ids, so that each rollout has other first devices.
create function rollout_place(rollout text, device text) returns integer immutable strict parallel safe language sql as $$
  select ((get_byte(h, 0)::bigint << 24 | get_byte(h, 1)::bigint << 16 | get_byte(h, 2)::bigint << 8 | get_byte(h, 3)::bigint)
    % 10000)::integer
  from sha256(convert_to(rollout || ':' || device, 'UTF8')) as h
$$;
