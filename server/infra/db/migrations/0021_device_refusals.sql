-- A wrong key is kept apart from the other reasons to turn a device away: only a right key makes up for it.
alter table device_presence
  add column key_rejected_at timestamptz,
  add column key_rejected_reason text,
  -- The last message that was not taken, and the last subscription that was not granted, for the health check.
  add column message_refused_at timestamptz,
  add column message_refused_topic text,
  add column message_refused_text text,
  add column subscription_refused_at timestamptz,
  add column subscription_refused_filter text;

update device_presence set key_rejected_at = rejected_at, key_rejected_reason = rejected_reason,
  rejected_at = null, rejected_reason = null
where rejected_reason in ('KEY_CHANGED', 'KEY_EXPIRED');
