-- When the call that sent a command arrived, and under which id it stands in the logs. Null: it was no call.
alter table device_commands add column called_at timestamptz, add column request_id text;
