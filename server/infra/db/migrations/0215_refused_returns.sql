-- Why returns of a sign-in at a provider were refused: each reason is logged once for each sign-in.
alter table user_sign_ins add column refused text[] not null default '{}';
