-- Null: as the default is, also when a later version of Mooring words it anew. Reverting sets both to null and counts
-- the revision on; were the row removed instead, a revision read long ago could fit another text by chance.
alter table email_templates
  alter column subject drop not null,
  alter column body drop not null;
