-- Targets that are handed out again, and what the job of each minute looks for.

alter table device_targets
  -- Rises when the same target is handed out once more, after a failure.
  add column issue integer not null default 1,
  -- Transient failures in a row: each doubles the wait.
  add column backoffs integer not null default 0;
-- Clocks run while a device is connected.
create index device_targets_clock on device_targets (counted_at nulls first)
  where state in ('offered', 'accepted', 'downloading', 'verifying', 'installing', 'rebooting', 'confirming');
create index channels_by_id on channels (id);
