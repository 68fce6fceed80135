-- What rules would have done with the events of the past: its result so far, kept for minutes, for every server process.
create table rule_replays (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  created_at timestamptz not null,
  is_running boolean not null default true,
  -- When the process that works on it said so last; one that ended leaves it behind.
  alive_at timestamptz not null,
  result json not null,
  primary key (project_id, id)
);
create index rule_replays_created on rule_replays (created_at);
