-- A purchase file that went on changing after it was picked up: what happened, in a sentence. Its POs may be incomplete.
alter table imports add column file_grew text;

-- The dealer's own files, watched for a while after they were picked up: whoever put one there may still hold it open
-- and write on. The row goes when the watch ends.
create table watched_files (
  import_id bigint primary key references imports on delete cascade,
  -- Relative to the account's folder; null until the file was archived.
  path text,
  -- As the file was when it was copied.
  inode text not null,
  size_bytes bigint not null,
  mtime_ms double precision not null,
  tail_sha256 text not null,
  picked_up_at timestamptz not null default now(),
  checked_at timestamptz not null default now()
);

-- What keeps files from being picked up or archived, as it is now; `status` shows it.
create table file_troubles (
  account text not null,
  -- Where it was noticed: the inbox, the claims in working/, or a watched file. Each notices for itself.
  place text not null,
  file_name text not null,
  code text not null,
  message text not null,
  since timestamptz not null default now(),
  primary key (account, place, file_name)
);
