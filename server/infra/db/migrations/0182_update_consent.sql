-- What a device waits for before it goes on with an update, and what its home answered.
alter table device_targets
  -- `consent`, `window` or `battery`, in the state `ready`.
  add column waits_for text,
  -- {"answer": "install"} or {"answer": "later", "until": …}, with "at". It goes with the target.
  add column consent jsonb;
