-- beside: 027
-- What is wrong with an SFTP server has a place of its own: it neither replaces nor renews what is known about files there.
comment on column file_problems.place is
  'Which check found it: the inbox, the claims in working/, the watched files, an SFTP server, or fetching from it and delivering to it.';

create or replace function notify_of_file_problem() returns trigger language plpgsql set search_path = cartwright as $$
begin
  perform record_notification(case when new.place in ('server', 'fetched', 'delivered') then 'sftp_failed' else 'file_stuck' end,
    new.account, new.file_name, new.message, null, null);
  return null;
end $$;
