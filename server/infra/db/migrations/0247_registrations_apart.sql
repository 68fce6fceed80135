-- Of several registrations of one address, an e-mail brings in the one that it was sent for.
alter table user_codes drop constraint user_codes_user;
-- A newer e-mail replaces the one before, except for registrations, which may be different people's.
create unique index user_codes_user on user_codes (project_id, user_id, purpose) where purpose <> 'verification';
create index user_codes_verification on user_codes (project_id, user_id) where purpose = 'verification';
-- Password hash, name and language. Null: those of the user.
alter table user_codes add column registered jsonb;
