-- Alerts have a state, and reports of one thing that is wrong with a device are one alert that counts them.

alter table alerts
  -- Copied from its device, where it never changes.
  add column device_class text collate "C",
  -- What tells the alerts of a device apart: of its own the event, or what it chose; of a rule what the rule says.
  add column key text collate "C",
  -- Empty: the device itself raised it. Else the smart module, and the run that reported it last.
  add column module_id text collate "C" not null default '',
  add column run_id text,
  -- How long the chain is of modules that led to it.
  add column hop smallint not null default 0,
  -- The last event that reported it.
  add column event_id text collate "C",
  add column state text collate "C" not null default 'open' check (state in ('open', 'acknowledged', 'resolved')),
  -- Of the alerts with one key, the one that further reports count towards.
  add column is_current boolean not null default true,
  add column count bigint not null default 1,
  -- `ts` is when it was reported first, this is when last. Without an index, so that a repeat rewrites none.
  add column last_at timestamptz,
  -- Who gave it its state, and when. Null: nobody touched it since it was raised.
  add column state_at timestamptz,
  add column state_by jsonb,
  add column state_note text not null default '',
  -- The transaction that opened it, or opened it again: by it, e-mails find what is new and miss nothing.
  add column opened_tx xid8 not null default pg_current_xact_id(),
  add column revision integer not null default 1,
  add column severity_order smallint not null
    generated always as (case severity when 'info' then 0 when 'warning' then 1 else 2 end) stored,
  alter column event drop not null;

update alerts a set key = a.event, event_id = replace(a.id, 'alr_', 'evt_'), last_at = a.ts,
  device_class = d.device_class
from devices d where d.project_id = a.project_id and d.id = a.device_id;

-- Until now every report was an alert: of each kind the newest stays, and counts the others.
with kinds as (
  select project_id, device_id, key, count(*) as count, min(ts) as ts, max(id) as id from alerts
  group by project_id, device_id, key having count(*) > 1)
update alerts a set count = k.count, ts = k.ts
from kinds k where k.project_id = a.project_id and k.id = a.id;
delete from alerts a using alerts newer
where newer.project_id = a.project_id and newer.device_id = a.device_id and newer.key = a.key and newer.id > a.id;

alter table alerts
  alter column device_class set not null,
  alter column key set not null,
  alter column last_at set not null,
  add column search text not null generated always as (
    search_text(id || ' ' || text || ' ' || key || ' ' || device_id || ' ' || coalesce(event, ''))) stored,
  -- Room for a repeat beside the row it replaces.
  set (fillfactor = 80);

create unique index alerts_current on alerts (project_id, device_id, module_id, key) where is_current;
create index alerts_unresolved on alerts (project_id, device_id) where state <> 'resolved';
create index alerts_state on alerts (project_id, state, id);
create index alerts_severity on alerts (project_id, state, severity_order, id);
create index alerts_module on alerts (project_id, module_id, id) where module_id <> '';
create index alerts_opened on alerts (project_id, opened_tx) where state = 'open';
create index alerts_search on alerts using gin (project_id, search gin_trgm_ops);

-- What became of an alert since it was raised, oldest first.
create table alert_changes (
  project_id text not null,
  alert_id text collate "C" not null,
  number bigint generated always as identity,
  at timestamptz not null,
  what text not null check (what in ('acknowledged', 'resolved', 'reopened', 'severity', 'note')),
  -- Of a change of the severity: to which.
  severity text,
  by jsonb not null,
  note text not null default '',
  primary key (project_id, alert_id, number),
  foreign key (project_id, alert_id) references alerts on delete cascade
);
-- The names in it of an end user who is erased.
create index alert_changes_user on alert_changes (project_id, (by ->> 'id')) where by ->> 'type' = 'user';
create index alerts_user on alerts (project_id, (state_by ->> 'id')) where state_by ->> 'type' = 'user';
