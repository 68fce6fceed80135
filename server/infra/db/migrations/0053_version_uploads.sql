-- `open`, `verifying` or `over`. One that is over is kept until it expires, so that completing it can be repeated.
create function let_go(place text) returns void language sql as $$
  insert into unkept_files (place, due_at) values (place, now()) on conflict (place) do nothing
$$;
-- What is stored of an upload is no file yet: a backup, which takes the columns that `unkept_files` is filled from in
-- a trigger, leaves it out.
create function let_go_of_upload() returns trigger language plpgsql as $$
begin
  perform let_go(old.place);
  return null;
end $$;
create trigger version_uploads_gone after delete on version_uploads
  for each row when (old.state <> 'over') execute function let_go_of_upload();

-- Of the part, in hexadecimal digits: what was received must be what is read when the upload is complete.
alter table version_upload_parts add column sha256 text not null;
