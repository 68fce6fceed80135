-- Outcomes with their class, the gates of a rollout that was resumed, and indexes for what is asked each minute.

alter table rollout_devices
  -- The class of a failure: `integrity` and `final` count at the gate.
  add column failure text;
create index rollout_devices_admitted on rollout_devices (project_id, rollout_id, admitted_at desc, device_id);
create index rollout_devices_unsettled on rollout_devices (project_id, rollout_id, due_at)
  where outcome is null and admitted_at is not null;
create index rollout_devices_settled on rollout_devices (project_id, rollout_id, settled_at desc)
  where outcome is not null;

alter table rollouts
  -- Gates look at results since then: whoever resumes a rollout has seen those before.
  add column gates_from timestamptz,
  -- Its counts when it ended, so that a list does not count them again.
  add column final_counts jsonb;
create index rollouts_of_channel on rollouts (project_id, channel_id, created_at desc, id);

-- The same place as before, as an expression that the planner can inline: a step asks it of every device of a class.
-- Ids have no backslash, so decode keeps their bytes.
create or replace function rollout_place(rollout text, device text) returns integer immutable strict parallel safe language sql as $$
  select ((('x' || left(encode(sha256(decode(rollout || ':' || device, 'escape')), 'hex'), 8))::bit(32)::bigint & 4294967295)
    % 10000)::integer
$$;
