-- Replays of one editor: a newer one ends the one before it. Empty: it stands for itself.
alter table rule_replays add column series text not null default '';
