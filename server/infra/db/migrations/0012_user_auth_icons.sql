-- Our own copy of each icon: the browsers of developers and users are never sent to an address that a developer chose.
alter table user_auth_methods
  add column icon_type text,
  add column icon bytea;
