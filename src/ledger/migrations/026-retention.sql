alter table imports
  add rows_pruned_at timestamptz,
  add copy_pruned_at timestamptz;
comment on column imports.rows_pruned_at is 'When the lines and row issues were removed (retention.rows); null: they are here. The result file is not written again.';
comment on column imports.copy_pruned_at is 'When the private copy was removed (retention.copies); null: it was not. The result file is not written again.';

create table maintenance (
  task text primary key,
  done_for timestamptz,
  claimed_until timestamptz,
  ended_at timestamptz,
  result text,
  failed_because text
);
comment on table maintenance is 'Work that is done regularly by one process: backups and the removal of what is old.';
comment on column maintenance.task is 'backup, or prune and the name of an account; prune alone is for what belongs to no account.';
comment on column maintenance.done_for is 'The last time at which it was due and was done; null: never.';
comment on column maintenance.claimed_until is 'Until then a process works on it, or it is not tried again after a failure. Null: nobody does.';
comment on column maintenance.result is 'What the last run did, as a sentence.';
comment on column maintenance.failed_because is 'Why the last run failed; null: it did not.';
