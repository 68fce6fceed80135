-- An invitation to a home ends with what it stands for, so that it cannot bring back who was removed, or revive when its
-- inviter returns: when the invited user joins or leaves the home, and when its inviter leaves, is suspended, or gets a
-- role that does not invite to it.
create function may_invite(role text, invited text, has_roles boolean) returns boolean language sql immutable as $$
  select role = 'owner' or (role = 'admin' and invited <> 'admin') or (role = 'member' and not has_roles)
$$;

create function end_invitations_of_member() returns trigger language plpgsql as $$
declare
  member home_members;
begin
  if tg_op = 'DELETE' then member := old; else member := new; end if;
  if tg_op <> 'UPDATE' then
    delete from home_invitations i using users u
    where u.project_id = member.project_id and u.id = member.user_id and i.project_id = member.project_id
      and i.home_id = member.home_id and i.email = u.email;
  end if;
  if tg_op <> 'INSERT' then
    delete from home_invitations i using projects p
    where p.id = member.project_id and i.project_id = member.project_id and i.home_id = member.home_id
      and i.inviter_type = 'user' and i.inviter_id = member.user_id
      and (tg_op = 'DELETE' or not may_invite(member.role, i.role, p.permission_based_access_control));
  end if;
  return null;
end $$;
create trigger home_members_invitations after insert or delete or update of role on home_members
  for each row execute function end_invitations_of_member();

create index home_invitations_inviter on home_invitations (project_id, inviter_id);
-- The offer of a home ends as well, when its owner is suspended.
create function end_invitations_of_suspended() returns trigger language plpgsql as $$
begin
  delete from home_invitations i
  where i.project_id = new.project_id and i.inviter_type = 'user' and i.inviter_id = new.id;
  update homes h set transfer_to = null, transfer_offered_at = null, transfer_expires_at = null, revision = h.revision + 1
  from home_members m
  where m.project_id = new.project_id and m.user_id = new.id and m.role = 'owner'
    and h.project_id = m.project_id and h.id = m.home_id and h.transfer_to is not null;
  return null;
end $$;
create trigger users_suspended_invitations after update of suspended on users
  for each row when (new.suspended and not old.suspended) execute function end_invitations_of_suspended();

-- Those that are open beside a membership, or whose inviter may not invite any longer.
delete from home_invitations i using home_members m, users u
where m.project_id = i.project_id and m.home_id = i.home_id and u.project_id = m.project_id and u.id = m.user_id
  and u.email = i.email;
delete from home_invitations i
where i.inviter_type = 'user' and not exists (
  select from home_members m
  join projects p on p.id = m.project_id
  join users u on u.project_id = m.project_id and u.id = m.user_id
  where m.project_id = i.project_id and m.home_id = i.home_id and m.user_id = i.inviter_id and not u.suspended
    and may_invite(m.role, i.role, p.permission_based_access_control));
