-- A password that a developer or a back end has set, which its user has not replaced yet.
alter table users add column password_is_initial boolean not null default false;
