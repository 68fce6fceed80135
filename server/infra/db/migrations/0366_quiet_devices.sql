-- How often a device usually reports, learned from its messages, and whether it is silent for longer than it ever was.
-- The averages change with nearly every write, so no index has them; `quiet_check_at` changes at most once per allowance.
alter table device_presence
  add column gap_s real, add column longest_gap_s real, add column gap_count smallint not null default 0,
  add column gaps_from timestamptz, add column quiet_check_at timestamptz, add column quiet_since timestamptz;
create index device_presence_quiet_check on device_presence (quiet_check_at) where quiet_check_at is not null;
create index device_presence_quiet on device_presence (project_id, quiet_since) where quiet_since is not null;
