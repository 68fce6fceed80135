-- A sign-in that adds a method to an account goes with the account.
delete from user_sign_ins s where s.link_user_id is not null and not exists (
  select from users u where u.project_id = s.project_id and u.id = s.link_user_id);
alter table user_sign_ins add constraint user_sign_ins_link
  foreign key (project_id, link_user_id) references users on delete cascade;
create index user_sign_ins_link on user_sign_ins (project_id, link_user_id) where link_user_id is not null;
