-- A device that was imported under the id it had elsewhere: its creation time is the one of that id, and this is when it came.
alter table devices add column imported_at timestamptz;
