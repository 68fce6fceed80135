-- What lists of users are read by, and how many there are.

-- Suspended, else unverified while nobody proved the address, else active: each user is in one state. Sorted by name as
-- people read it; who was never seen comes before all times.
alter table users
  add column state text collate "C" not null generated always as (
    case when suspended then 'suspended' when email is not null and verified_at is null then 'unverified'
      else 'active' end) stored,
  add column name_order text collate "C" not null generated always as (left(search_text(name), 100)) stored,
  add column seen_order timestamptz not null generated always as (coalesce(last_seen_at, '-infinity')) stored;
drop index users_name;
drop index users_created;
drop index users_seen;
-- An id sorts by the time it was made.
create index users_state on users (project_id, state, id);
create index users_state_name on users (project_id, state, name_order, id);
create index users_state_seen on users (project_id, state, seen_order, id);

-- How many users a project has by state, exact at every instant. In sixty-four parts by connection, so that two who
-- register at once do not wait for each other; the sum is the count.
create table user_counts (
  project_id text not null,
  part smallint not null,
  active bigint not null default 0,
  unverified bigint not null default 0,
  suspended bigint not null default 0,
  primary key (project_id, part)
) with (fillfactor = 50);

create function count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into user_counts as c (project_id, part, active, unverified, suspended)
    select project_id, pg_backend_pid() % 64, count(*) filter (where state = 'active'),
      count(*) filter (where state = 'unverified'), count(*) filter (where state = 'suspended')
    from added group by project_id order by project_id
    on conflict (project_id, part) do update set active = c.active + excluded.active,
      unverified = c.unverified + excluded.unverified, suspended = c.suspended + excluded.suspended;
  elsif tg_op = 'DELETE' then
    insert into user_counts as c (project_id, part, active, unverified, suspended)
    select project_id, pg_backend_pid() % 64, -count(*) filter (where state = 'active'),
      -count(*) filter (where state = 'unverified'), -count(*) filter (where state = 'suspended')
    from removed group by project_id order by project_id
    on conflict (project_id, part) do update set active = c.active + excluded.active,
      unverified = c.unverified + excluded.unverified, suspended = c.suspended + excluded.suspended;
  else
    insert into user_counts as c (project_id, part, active, unverified, suspended)
    select project_id, pg_backend_pid() % 64, coalesce(sum(n) filter (where state = 'active'), 0),
      coalesce(sum(n) filter (where state = 'unverified'), 0), coalesce(sum(n) filter (where state = 'suspended'), 0)
    from (
      select project_id, state, sum(n) as n from (
        select project_id, state, 1 as n from added union all select project_id, state, -1 from removed) as moved
      group by project_id, state having sum(n) <> 0) as changed
    group by project_id order by project_id
    on conflict (project_id, part) do update set active = c.active + excluded.active,
      unverified = c.unverified + excluded.unverified, suspended = c.suspended + excluded.suspended;
  end if;
  return null;
end $$;
create trigger users_counted_in after insert on users
  referencing new table as added for each statement execute function count_users();
create trigger users_counted_out after delete on users
  referencing old table as removed for each statement execute function count_users();
create trigger users_counted after update on users
  referencing old table as removed new table as added for each statement execute function count_users();
insert into user_counts (project_id, part, active, unverified, suspended)
select project_id, 0, count(*) filter (where state = 'active'), count(*) filter (where state = 'unverified'),
  count(*) filter (where state = 'suspended')
from users group by project_id;
