-- What a device reports because a module had set it is caused by the runs that led to that, and says so to other modules.
alter table desired_changes add column caused_by text[] not null default '{}';
alter table desired_changes alter column caused_by set default caused_by_runs();

-- Null for nearly all reports.
alter table state_reports add column caused_by text[];
