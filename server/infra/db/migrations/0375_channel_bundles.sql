-- What a channel pointed at, and since when. Until now only its present bundle was known, and what rollouts brought.
create table channel_bundles (
  project_id text not null,
  channel_id text collate "C" not null,
  at timestamptz not null,
  -- Null: the channel pointed at none. The name is kept if the bundle is deleted.
  bundle_id text,
  bundle_name text not null default '',
  -- The rollout that finished. Without one, the channel was edited.
  rollout_id text,
  actor_id text,
  actor_name text not null default '',
  primary key (project_id, channel_id, at),
  foreign key (project_id, channel_id) references channels (project_id, id) on delete cascade
);

insert into channel_bundles (project_id, channel_id, at, bundle_id, bundle_name, rollout_id, actor_id, actor_name)
select project_id, channel_id, finished_at, bundle_id, bundle_name, id, created_by, created_by_name
from rollouts where state = 'finished' and finished_at is not null
on conflict do nothing;

insert into channel_bundles (project_id, channel_id, at, bundle_id, bundle_name)
select c.project_id, c.id, c.bundle_since, c.bundle_id, b.name
from channels c join bundles b on b.project_id = c.project_id and b.id = c.bundle_id
where c.bundle_since is not null
on conflict do nothing;
