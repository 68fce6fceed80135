-- A rollout is asked for by its id alone.
create unique index rollouts_id on rollouts (id);
create index rollout_events_by_time on rollout_events (project_id, rollout_id, at desc, id desc);
