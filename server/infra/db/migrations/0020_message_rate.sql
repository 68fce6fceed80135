-- How many messages a second each device of a project may send.
alter table projects add column device_message_rate integer not null default 20;
