-- beside: 027
-- Files that are exchanged with dealers' SFTP servers.
create table file_exchanges (
  account text not null,
  part text not null check (part in ('fetched', 'delivered')),
  leased_by text,
  leased_until timestamptz,
  delivers_since_ms bigint,
  primary key (account, part)
);
comment on table file_exchanges is 'Accounts that exchange files with an SFTP server.';
comment on column file_exchanges.leased_by is 'The process that does this part now, so that only one does; null: none.';
comment on column file_exchanges.delivers_since_ms is 'Files that were written before are not delivered (milliseconds since 1970, by the clock of the machine with the folder); null: nothing was delivered yet.';

create table fetched_files (
  account text not null,
  folder text not null,
  name text not null,
  claim_id text not null,
  size_bytes bigint not null,
  modified_ms bigint not null,
  begun_at timestamptz not null default clock_timestamp(),
  primary key (account, folder, name)
);
comment on table fetched_files is 'Files of a server that are being fetched: from before the first byte until they are moved away there, so that a crash neither loses one nor fetches one twice.';
comment on column fetched_files.claim_id is 'The claim that the file becomes: the name of its private copy, by which its import is found.';
comment on column fetched_files.modified_ms is 'By the clock of the server.';

create table delivered_files (
  account text not null,
  path text not null,
  size_bytes bigint not null,
  modified_ms bigint not null,
  delivered_at timestamptz not null default clock_timestamp(),
  primary key (account, path)
);
comment on table delivered_files is 'Which version of each result file and report an SFTP server has.';
comment on column delivered_files.path is 'Relative to the folder of the account.';

comment on column file_problems.place is
  'Which check found it: the inbox, the claims in working/, the watched files, or fetching and delivering by SFTP.';

create or replace function notify_of_file_problem() returns trigger language plpgsql set search_path = cartwright as $$
begin
  perform record_notification(case when new.place in ('fetched', 'delivered') then 'sftp_failed' else 'file_stuck' end,
    new.account, new.file_name, new.message, null, null);
  return null;
end $$;
