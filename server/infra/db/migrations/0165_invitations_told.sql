-- Homes hear of their invitations, and users of those to the address they have proven.
create function tell_home_of_invitation() returns trigger language plpgsql as $$
declare
  invitation home_invitations;
begin
  if tg_op = 'DELETE' then invitation := old; else invitation := new; end if;
  -- With its home, the members are told of that.
  if not exists (select from homes where project_id = invitation.project_id and id = invitation.home_id) then
    return null;
  end if;
  perform tell_home(invitation.project_id, invitation.home_id, 'invitations');
  insert into home_events (project_id, home_id, user_id, ts, type, name)
  select u.project_id, invitation.home_id, u.id, clock_timestamp(), 'home', 'invitations' from users u
  where u.project_id = invitation.project_id and u.email = invitation.email and u.verified_at is not null
    and not exists (
      select from home_members m
      where m.project_id = u.project_id and m.home_id = invitation.home_id and m.user_id = u.id);
  return null;
end $$;
create trigger home_invitations_told after insert or delete on home_invitations
  for each row execute function tell_home_of_invitation();

-- An e-mail that names an end user in its subject goes with them.
alter table mails add column names_user text collate "C";
create index mails_names_user on mails (names_user) where names_user is not null;
