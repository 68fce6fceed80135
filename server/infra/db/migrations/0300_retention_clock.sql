-- What is deleted by its age is deleted by this clock. One row: the time up to which the clock of the platform is trusted,
-- when a job looked at it last, and since when it has been ahead of that.
create table retention_clock (
  is_only boolean primary key default true check (is_only),
  trusted_at timestamptz not null,
  looked_at timestamptz not null,
  ahead_since timestamptz
);
