-- Which developers are told of alerts by e-mail, per project.
create table alert_subscriptions (
  project_id text not null,
  developer_id text not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  severity_order smallint not null
    generated always as (case severity when 'info' then 0 when 'warning' then 1 else 2 end) stored,
  -- HH:MM in the time zone; from the later to the earlier one it is over midnight.
  quiet_from text,
  quiet_to text,
  time_zone text,
  -- What transactions before this one opened was told, or was there before.
  seen_tx xid8 not null default pg_snapshot_xmin(pg_current_snapshot()),
  mailed_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, developer_id),
  foreign key (project_id, developer_id) references project_members on delete cascade,
  check ((quiet_from is null) = (quiet_to is null) and (quiet_from is null) = (time_zone is null))
);
