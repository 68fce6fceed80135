-- Actions on many alerts: they go on where a killed process stopped.
create table alert_actions (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  action text not null check (action in ('acknowledge', 'resolve', 'reopen')),
  -- What was asked: the filter, the note, and who asked.
  asked jsonb not null,
  state text not null check (state in ('running', 'done', 'failed')),
  total bigint not null,
  done bigint not null default 0,
  -- The last alert that is done.
  cursor text collate "C" not null default '',
  error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, id)
);

-- Calls name an alert alone.
create unique index alerts_id on alerts (id);
