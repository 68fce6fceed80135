-- A sign-in at the wrong organization is told so: the address is looked up in all of them.
create index developers_by_email on developers (email);
