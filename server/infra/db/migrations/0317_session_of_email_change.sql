-- The session in which a developer began to change the address: who ends it from another one ends the change as well.
alter table developers add column pending_session text;
