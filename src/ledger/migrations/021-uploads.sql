-- How an upload becomes an import (docs/decisions/036).
alter table uploads
  add column copy_path text,
  add column confirmed_via text,
  add column note text,
  add check ((state = 'confirmed') = (copy_path is not null));
create index uploads_drafts on uploads (account, uploaded_at) where state = 'draft';
create index uploads_unclaimed on uploads (account, copy_path) where state = 'confirmed' and import_id is null;
create unique index one_reread on uploads (reread_of) where state = 'confirmed' and reread_of is not null;
comment on column uploads.copy_path is 'The private copy that the import will have, recorded before the file is claimed; null until it is confirmed.';
comment on column uploads.note is 'What the person wrote when confirming it.';
