-- Which process a worker is, so that a process of the same machine can tell that it is dead and take its POs over.
alter table workers
  add column process jsonb,
  add column left_at timestamptz;
comment on table workers is
  'Worker processes, for an hour after their last heartbeat. Those that are alive share the calls in flight of each account.';
comment on column workers.process is
  'Machine, boot, namespaces and start time: with the pid they identify the process on its machine. Null: unknown.';
comment on column workers.left_at is 'When the worker stopped taking jobs; jobs that it was running may still hold leases.';
comment on column purchase_orders.lease_owner is
  'The lease on the PO (rule 10), another one for each lease; null: none. It begins with the first 19 characters of its worker''s id.';

-- The folders of each account. One of them is in use; files of the others wait for its return, or are given up.
create table account_folders (
  id uuid primary key,
  account text not null,
  host text not null,
  path text not null,
  known_since timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  replaced_at timestamptz
);
create unique index one_folder_in_use on account_folders (account) where replaced_at is null;
comment on table account_folders is
  'The folders of each account, by the identity in their file .cartwright-folder. At most one of an account is in use.';
comment on column account_folders.host is 'The machine that last used the folder, for people.';
comment on column account_folders.path is 'Where that machine has the folder, for people.';
comment on column account_folders.seen_at is 'When a process last used the folder.';
comment on column account_folders.replaced_at is 'When another folder of the account took its place; null: it is in use.';
alter table imports add column folder_id uuid;
comment on column imports.folder_id is 'The folder that has the private copy; null: unknown, then any.';
