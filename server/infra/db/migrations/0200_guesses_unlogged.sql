-- Guesses at passwords are counted two to six times a sign-in, and each count waited for the disk. Without a log they do not;
-- a power cut forgives them, an ordinary stop does not.
alter table login_failures set unlogged;
