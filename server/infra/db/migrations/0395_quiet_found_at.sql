-- A hidden finding returns when another device is found to be quiet, which can be long after that device last spoke.
alter table device_presence add column quiet_found_at timestamptz;
