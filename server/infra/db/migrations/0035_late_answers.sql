-- When a device answered a command that had expired: its answer is kept, and shown as late.
alter table device_commands add column answered_late_at timestamptz;
