-- An account's calls per second, counted by rate-limiter-flexible over all processes. Made here, because two
-- processes that start together may not both create a table. A ledger of before may have it.
create table if not exists call_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);

-- When a PO that no date range shows was last looked up by itself: the one that waited longest is next.
alter table purchase_orders add column looked_up_at timestamptz;
