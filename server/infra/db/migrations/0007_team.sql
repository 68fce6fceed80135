alter table project_members add column revision integer not null default 1;
