-- How names are sorted: as they are searched, and numbers by their value, so that "Room 2" comes before "Room 10". Each
-- number gets zeros in front, up to sixteen digits; a longer one compares digit by digit. Compare the result by bytes
-- (`collate "C"`), so that no new version of a collation makes an index false. It is cut, since an entry of an index has
-- a limit: a letter may unfold to eighteen, and a digit to sixteen.
create function name_order(given text) returns text language sql immutable parallel safe strict
  return left(regexp_replace(
    regexp_replace(search_text(given), '[0-9]+', '000000000000000\&', 'g'), '0*([0-9]{16,})', '\1', 'g'), 250);

-- Their indexes go with the columns.
alter table devices drop column tag_order, drop column name_order;
alter table devices
  add column tag_order text collate "C" generated always as (name_order(tag)) stored,
  add column name_order text collate "C" generated always as (name_order(name)) stored;
create index devices_class_tag on devices (project_id, device_class, tag_order, id);
create index devices_class_name on devices (project_id, device_class, name_order, id);

alter table users drop column name_order;
alter table users add column name_order text collate "C" not null generated always as (name_order(name)) stored;
create index users_state_name on users (project_id, state, name_order, id);

alter table homes drop column name_order;
alter table homes add column name_order text collate "C" generated always as (name_order(name)) stored;
create index homes_name on homes (project_id, name_order, id);
