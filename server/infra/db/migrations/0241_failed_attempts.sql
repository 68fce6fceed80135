-- When an attempt of a module failed last: one that nobody has asked to do anything for a day is not failing.
alter table module_health add column failed_at timestamptz;
