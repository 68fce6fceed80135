-- Tags and names stand in the order people look for them in, capitals and accents apart: as they are searched. Compared
-- by bytes, so that no new version of a collation makes an index false, and cut, since a letter may unfold to eighteen
-- and an entry of an index has an end.
alter table devices
  add column tag_order text collate "C" generated always as (left(search_text(tag), 100)) stored,
  add column name_order text collate "C" generated always as (left(search_text(name), 100)) stored;
drop index devices_class_tag;
drop index devices_class_name;
create index devices_class_tag on devices (project_id, device_class, tag_order, id);
create index devices_class_name on devices (project_id, device_class, name_order, id);
