-- How long a connected device of the class may take for each part of an update, in minutes.
alter table device_classes
  add column offer_minutes integer not null default 60,
  add column download_minutes integer not null default 1440,
  add column install_minutes integer not null default 30,
  add column reboot_minutes integer not null default 15;
