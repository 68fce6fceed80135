-- Tickets that open an event stream: for browsers, which can set no header there.
create table stream_tickets (
  project_id text not null,
  -- SHA-256 of a random text.
  hash bytea not null,
  app_id text collate "C" not null,
  session_id text collate "C" not null,
  expires_at timestamptz not null,
  primary key (project_id, hash),
  foreign key (project_id, session_id) references user_sessions on delete cascade
);
create index stream_tickets_session on stream_tickets (project_id, session_id);
create index stream_tickets_expires on stream_tickets (expires_at);

-- How many streams of an app a process has open, said again while it has any.
create table open_streams (
  project_id text not null,
  app_id text collate "C" not null,
  process text not null,
  count integer not null,
  seen_at timestamptz not null,
  primary key (project_id, app_id, process)
);
create index open_streams_seen on open_streams (seen_at);
