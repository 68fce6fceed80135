-- A finding of the overview that a person has hidden until it happens again.
create table hidden_findings (
  project_id text not null,
  developer_id text not null,
  finding_id text collate "C" not null,
  -- When it had last happened: a later time shows it again.
  at timestamptz not null,
  hidden_at timestamptz not null,
  primary key (project_id, developer_id, finding_id),
  foreign key (project_id, developer_id) references project_members (project_id, developer_id) on delete cascade
);
