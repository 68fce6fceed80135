-- A rollout holds its bundles while it is unfinished. Afterwards it is history: the bundles can be deleted, and their
-- names stay.
alter table rollouts drop constraint rollouts_bundle, drop constraint rollouts_from_bundle;
alter table rollouts
  -- As the bundles were called when the rollout was created.
  add column bundle_name text not null default '',
  add column from_bundle_name text not null default '',
  add column bundle_held text collate "C"
    generated always as (case when state in ('draft', 'running', 'paused') then bundle_id end) stored,
  add column from_bundle_held text collate "C"
    generated always as (case when state in ('draft', 'running', 'paused') then from_bundle_id end) stored;
update rollouts r set
  bundle_name = coalesce((select b.name from bundles b where b.project_id = r.project_id and b.id = r.bundle_id), ''),
  from_bundle_name =
    coalesce((select b.name from bundles b where b.project_id = r.project_id and b.id = r.from_bundle_id), '');
alter table rollouts
  add constraint rollouts_bundle
    foreign key (project_id, device_class, bundle_held) references bundles (project_id, device_class, id),
  add constraint rollouts_from_bundle
    foreign key (project_id, device_class, from_bundle_held) references bundles (project_id, device_class, id);
