-- Device classes and devices. Every table carries the project in its key.

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

create table device_classes (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  description text not null default '',
  state_schema jsonb,
  -- Name to schema.
  event_schemas jsonb,
  command_schemas jsonb,
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || description)) stored,
  constraint device_classes_pkey primary key (project_id, id)
);

create table device_class_kv (
  project_id text not null,
  device_class text collate "C" not null,
  key text collate "C" not null,
  -- As it was written: numbers keep their digits, members their order.
  value json not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  primary key (project_id, device_class, key),
  foreign key (project_id, device_class) references device_classes on delete cascade
);

create table devices (
  project_id text not null references projects on delete cascade,
  id text collate "C" not null,
  device_class text collate "C" not null,
  tag text collate "C" not null default '',
  name text collate "C" not null default '',
  description text not null default '',
  channel text not null default '',
  bundle_installed text,
  -- Null once it is claimed.
  claim_code text,
  -- The home it is claimed for; null: unclaimed.
  home_id bigint,
  suspended boolean not null default false,
  -- SHA-256: a key is 32 random characters, which no dictionary holds.
  key_hash bytea not null,
  -- Sealed; null where the project forgets keys.
  key_sealed bytea,
  key_end text not null,
  previous_key_hash bytea,
  previous_key_until timestamptz,
  revision integer not null default 1,
  created_at timestamptz not null,
  search text generated always as (search_text(id || ' ' || tag || ' ' || name || ' ' || description)) stored,
  primary key (project_id, id),
  constraint devices_class foreign key (project_id, device_class) references device_classes,
  constraint devices_id unique (id)
);
create unique index devices_claim_code on devices (project_id, claim_code) where claim_code is not null;
create index devices_class_id on devices (project_id, device_class, id);
create index devices_class_tag on devices (project_id, device_class, tag, id);
create index devices_class_name on devices (project_id, device_class, name, id);
create index devices_class_channel on devices (project_id, device_class, channel, id);
create index devices_suspended on devices (project_id, device_class, id) where suspended;
create index devices_claimed on devices (project_id, device_class, id) where home_id is not null;
create index devices_home on devices (project_id, home_id, id) where home_id is not null;
create index devices_search on devices using gin (project_id, search gin_trgm_ops);

-- Where keys are to be forgotten, no readable copy comes back, whoever writes.
create function forget_device_keys() returns trigger language plpgsql as $$
begin
  if new.forget_device_keys and not old.forget_device_keys then
    update devices set key_sealed = null where project_id = new.id and key_sealed is not null;
  end if;
  return new;
end $$;
create trigger projects_forget_device_keys after update on projects for each row execute function forget_device_keys();

-- How many devices a class has, exact at every instant. In sixty-four parts by connection, so that two who add devices
-- to one class at once do not wait for each other; the sum is the count.
create table device_counts (
  project_id text not null,
  device_class text collate "C" not null,
  part smallint not null,
  claimed bigint not null default 0,
  unclaimed bigint not null default 0,
  primary key (project_id, device_class, part)
) with (fillfactor = 50);

create function count_devices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into device_counts as c (project_id, device_class, part, claimed, unclaimed)
    select project_id, device_class, pg_backend_pid() % 64, count(home_id), count(*) - count(home_id)
    from added group by project_id, device_class order by project_id, device_class
    on conflict (project_id, device_class, part) do update
      set claimed = c.claimed + excluded.claimed, unclaimed = c.unclaimed + excluded.unclaimed;
  elsif tg_op = 'DELETE' then
    insert into device_counts as c (project_id, device_class, part, claimed, unclaimed)
    select project_id, device_class, pg_backend_pid() % 64, -count(home_id), count(home_id) - count(*)
    from removed group by project_id, device_class order by project_id, device_class
    on conflict (project_id, device_class, part) do update
      set claimed = c.claimed + excluded.claimed, unclaimed = c.unclaimed + excluded.unclaimed;
  else
    insert into device_counts as c (project_id, device_class, part, claimed, unclaimed)
    select project_id, device_class, pg_backend_pid() % 64, sum(claimed), -sum(claimed) from (
      select project_id, device_class, (home_id is not null)::int as claimed from added
      union all select project_id, device_class, -(home_id is not null)::int from removed) as changed
    group by project_id, device_class having sum(claimed) <> 0 order by project_id, device_class
    on conflict (project_id, device_class, part) do update
      set claimed = c.claimed + excluded.claimed, unclaimed = c.unclaimed + excluded.unclaimed;
  end if;
  return null;
end $$;
create trigger devices_counted_in after insert on devices
  referencing new table as added for each statement execute function count_devices();
create trigger devices_counted_out after delete on devices
  referencing old table as removed for each statement execute function count_devices();
create trigger devices_counted after update on devices
  referencing old table as removed new table as added for each statement execute function count_devices();

create table device_kv (
  project_id text not null,
  device_id text collate "C" not null,
  key text collate "C" not null,
  value json not null,
  revision integer not null default 1,
  updated_at timestamptz not null,
  primary key (project_id, device_id, key),
  foreign key (project_id, device_id) references devices on delete cascade
);
