-- What a signed-in user begins and finishes later, by a link or at a provider, ends with the session it was begun in.
alter table users add column new_email_session text;
alter table user_sign_ins add column link_session_id text;

-- Begun before the session was written down: begin them again.
update users set new_email = null where new_email is not null;
delete from user_sign_ins where link_user_id is not null;
