-- Ended sessions as well: a sign-in looks up the networks that its user was signed in from.
create index user_sessions_of_user on user_sessions (project_id, user_id, last_seen_at);
