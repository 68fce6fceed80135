-- Who ends the session of another takes back what was given in it, as far as nobody has accepted it: invitations to
-- homes, and offers of homes. Who had the session could otherwise still get in.
alter table home_invitations add column inviter_session text;
alter table homes add column transfer_session text;
alter table user_sessions add column taken_back boolean not null default false;

create index home_invitations_session on home_invitations (project_id, inviter_session)
  where inviter_session is not null;
create index homes_transfer_session on homes (project_id, transfer_session) where transfer_session is not null;

create function take_back_given() returns trigger language plpgsql as $$
begin
  delete from home_invitations i where i.project_id = new.project_id and i.inviter_session = new.id;
  update homes h set transfer_to = null, transfer_offered_at = null, transfer_expires_at = null, transfer_session = null,
    revision = h.revision + 1
  where h.project_id = new.project_id and h.transfer_session = new.id;
  return null;
end $$;
create trigger user_sessions_taken_back after update of taken_back on user_sessions
  for each row when (new.taken_back and not old.taken_back) execute function take_back_given();
