-- What the rows of this database depend on outside of it: the master key that their secrets are encrypted under, and the
-- store of the files that they refer to. A single row, written by the first start.
create table installation (
  is_only boolean primary key default true check (is_only),
  key_fingerprint text not null,
  -- The id in the marker file of the store.
  file_store text
);
