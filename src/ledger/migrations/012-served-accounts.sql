-- Which accounts each live worker can place and whose files it can read, and what keeps it from the others
-- (account name to sentence).
alter table workers
  add column places text[] not null default '{}',
  add column reads text[] not null default '{}',
  add column troubles jsonb not null default '{}';

-- When a worker last had an account in its configuration. An account that none has had for long has ended.
create table served_accounts (
  account text primary key,
  served_at timestamptz not null default clock_timestamp()
);

-- Made once, with the ledger: separates its queue from those of other ledgers on the same Redis.
create table ledger_identity (
  only_one boolean primary key default true check (only_one),
  id uuid not null default gen_random_uuid()
);
insert into ledger_identity default values;

-- Queues that somebody else paused or limited, as the sweep found them.
create table queue_holds (
  queue text primary key,
  what text not null,
  -- Null while it is left as it is.
  lifted_at timestamptz,
  noticed_at timestamptz not null default clock_timestamp()
);
