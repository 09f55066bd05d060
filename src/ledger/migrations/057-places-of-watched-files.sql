-- beside: 027
-- Two processes may archive the same file at once: the second one records a place to which it then cannot move the file, and that must
-- not hide where it is.
alter table watched_files add column other_paths text[] not null default '{}';
comment on column watched_files.other_paths is
  'Further places where the file may be, relative to the account''s folder: several processes may have begun to move it.';
