-- When each reported property last changed, by its name: a page of a device says how old each value is.
alter table device_states add column reported_changes jsonb not null default '{}';
