-- Names and addresses of end users in log entries can be erased later, and the hash chain still holds: it is over the
-- entries with a salted digest in the place of each, see docs/decisions.

-- Each as { value, salt, of }; null: none. Once one is erased, its digest stands in the entry and the salt is gone.
alter table log_entries add column names jsonb;

-- Who is named in which entry: by user id, or by the digest of an address.
create table log_people (
  project_id text not null,
  person text collate "C" not null,
  stream text not null,
  ts timestamptz not null,
  entry_id text not null,
  primary key (project_id, person, ts, entry_id)
);
create index log_people_ts on log_people (ts);

-- The calls of an app, and of its users.
create index log_entries_http_app on log_entries_http (project_id, (detail ->> 'app'), ts desc, id desc);
