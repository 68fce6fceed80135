-- How often a code may still be tried: from each network that asked for it, and, under the empty name, from all others
-- together. Strangers cannot use up the tries of whoever waits for the e-mail.
alter table user_codes add column tries jsonb;
update user_codes set tries = jsonb_build_object('', tries_left);
alter table user_codes alter column tries set not null;
alter table user_codes drop column tries_left;
