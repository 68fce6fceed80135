-- Firmware: components and their versions, bundles and channels.

create table components (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  name text not null,
  description text not null default '',
  -- Ed25519 public keys of the developer, by id. While there are any, a version needs a signature of one of them.
  signing_keys jsonb not null default '[]',
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || name || ' ' || description)) stored,
  primary key (project_id, id),
  constraint components_name unique (project_id, name)
);

create table component_versions (
  project_id text not null,
  id text collate "C" not null,
  component_id text collate "C" not null,
  name text not null,
  -- As it was written.
  device_config_schema json,
  -- A device never goes back below it.
  security_version integer not null default 0,
  -- `empty`, `uploading`, `verifying`, `ready` or `failed`. Only one that is ready has a file.
  state text not null default 'empty',
  error text,
  filename text,
  -- Where the file is in the store.
  place text,
  size_bytes bigint,
  sha256 text,
  -- Of the developer's key, over what stands in docs/devices.
  signature jsonb,
  created_by text,
  created_by_name text not null default '',
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || name)) stored,
  primary key (project_id, id),
  constraint component_versions_name unique (project_id, component_id, name),
  constraint component_versions_of_component unique (project_id, component_id, id),
  constraint component_versions_component foreign key (project_id, component_id) references components on delete cascade,
  constraint component_versions_file check (state <> 'ready' or (place is not null and sha256 is not null))
);

-- An upload under way: at most one for a version.
create table version_uploads (
  project_id text not null,
  id text collate "C" not null,
  version_id text collate "C" not null,
  filename text not null,
  size_bytes bigint not null,
  part_bytes bigint not null,
  -- The checksum the sender announced; null: not announced.
  sha256 text,
  place text not null,
  -- What the file store calls the upload, where it has a name for it.
  store_upload text,
  state text not null default 'open',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint version_uploads_one unique (project_id, version_id),
  foreign key (project_id, version_id) references component_versions on delete cascade
);
create index version_uploads_expiry on version_uploads (expires_at);

-- A part that is stored and whole.
create table version_upload_parts (
  project_id text not null,
  upload_id text collate "C" not null,
  number integer not null,
  size_bytes bigint not null,
  -- What the file store needs to put the parts together.
  etag text not null default '',
  primary key (project_id, upload_id, number),
  foreign key (project_id, upload_id) references version_uploads on delete cascade
);

create table bundles (
  project_id text not null,
  id text collate "C" not null,
  device_class text collate "C" not null,
  name text not null,
  description text not null default '',
  created_by text,
  created_by_name text not null default '',
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || name || ' ' || description)) stored,
  primary key (project_id, id),
  -- What a channel or a device of a class refers to is a bundle of that class.
  constraint bundles_of_class unique (project_id, device_class, id),
  constraint bundles_name unique (project_id, device_class, name),
  constraint bundles_class foreign key (project_id, device_class) references device_classes
);

create table bundle_components (
  project_id text not null,
  bundle_id text collate "C" not null,
  component_id text collate "C" not null,
  version_id text collate "C" not null,
  primary key (project_id, bundle_id, component_id),
  foreign key (project_id, bundle_id) references bundles on delete cascade,
  constraint bundle_components_version foreign key (project_id, component_id, version_id)
    references component_versions (project_id, component_id, id)
);
create index bundle_components_versions on bundle_components (project_id, version_id);

create table channels (
  project_id text not null,
  id text collate "C" not null,
  device_class text collate "C" not null,
  -- What its devices are known to follow it by; it never changes.
  name text collate "C" not null,
  description text not null default '',
  bundle_id text collate "C",
  -- Since when it points there.
  bundle_since timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || name || ' ' || description)) stored,
  primary key (project_id, id),
  constraint channels_name unique (project_id, device_class, name),
  constraint channels_class foreign key (project_id, device_class) references device_classes,
  constraint channels_bundle foreign key (project_id, device_class, bundle_id) references bundles (project_id, device_class, id)
);
create index channels_bundles on channels (project_id, bundle_id);

-- Until now a device could name any channel, and any bundle as installed.
insert into channels (project_id, id, device_class, name, created_at)
select distinct on (project_id, device_class, channel) project_id,
  'chn_' || substr(id, 5), device_class, channel, now()
from devices where channel <> '' order by project_id, device_class, channel, id;
update devices set bundle_installed = null where bundle_installed is not null;

alter table devices
  -- `stable` is the empty string, and need not exist.
  add column channel_followed text collate "C" generated always as (nullif(channel, '')) stored,
  add column bundle_pinned text collate "C",
  alter column bundle_installed type text collate "C",
  add constraint devices_channel foreign key (project_id, device_class, channel_followed)
    references channels (project_id, device_class, name),
  add constraint devices_bundle_installed foreign key (project_id, device_class, bundle_installed)
    references bundles (project_id, device_class, id),
  add constraint devices_bundle_pinned foreign key (project_id, device_class, bundle_pinned)
    references bundles (project_id, device_class, id);
create index devices_bundle_installed_index on devices (project_id, device_class, bundle_installed, id)
  where bundle_installed is not null;
create index devices_bundle_pinned_index on devices (project_id, device_class, bundle_pinned, id)
  where bundle_pinned is not null;
