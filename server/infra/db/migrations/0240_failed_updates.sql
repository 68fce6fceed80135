-- Devices whose update failed for good are listed, the newest first.
create index device_targets_failed on device_targets (project_id, state_at desc) where state in ('failed', 'lost');
