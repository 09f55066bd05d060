-- beside: 027
-- Figures of whole days by account, kept when the rows behind them are removed (docs/decisions/065). They follow the feed, so placing pays nothing for them.
create table daily_statistics (
  account text not null,
  day date not null,
  removed boolean not null,
  orders integer not null default 0,
  pieces bigint not null default 0,
  amount numeric not null default 0,
  by_prices integer not null default 0,
  without_amount integer not null default 0,
  backordered integer not null default 0,
  shipped_within integer[] not null default '{}',
  shipped_undated integer not null default 0,
  ended_unshipped integer not null default 0,
  primary key (account, day, removed)
);
comment on table daily_statistics is
  'Orders that the service shows, summed by the day on which they were ordered (orders.order_day). A figure of a day is the sum of its two rows.';
comment on column daily_statistics.removed is
  'True: what orders had in pieces, amount and back-order when the lines of their imports were removed (retention.rows); never counted again. False: everything else, counted again whenever an order of the day changes.';
comment on column daily_statistics.amount is
  'Of the totals that the service shows; where it shows none of a PO, of its lines at the prices that the service answered.';
comment on column daily_statistics.by_prices is 'Orders whose amount is by prices.';
comment on column daily_statistics.without_amount is 'Orders that have neither a total nor prices, or whose PO has a total in another order.';
comment on column daily_statistics.backordered is
  'Orders with pieces on back-order, now or when the cart was filled; of a PO with several orders the cart counts for the first.';
comment on column daily_statistics.shipped_within is
  'Orders that shipped on the day on which they were ordered, up to the next day, and so on to 60 days; the 62nd entry has all that shipped. Behind its end every entry is as the last one.';
comment on column daily_statistics.shipped_undated is 'Orders that shipped on a day that cannot be read.';
comment on column daily_statistics.ended_unshipped is 'Orders that have not shipped and never will: their PO is closed.';

create table daily_reasons (
  account text not null,
  day date not null,
  state text not null check (state in ('held', 'failed', 'rejected')),
  reason_code text not null,
  count integer not null,
  primary key (account, day, state, reason_code)
);
comment on table daily_reasons is
  'How often POs became held, failed or rejected, by the day of the account''s time zone on which they did; without quotes.';

create table statistics_due (
  account text not null,
  day date not null,
  primary key (day, account)
);
comment on table statistics_due is 'Days whose row in daily_statistics is to be counted again.';

create table statistics_zones (
  account text primary key,
  time_zone text not null
);
comment on table statistics_zones is 'The time zone of each account, as the last worker with the account in its configuration has it; without a row it is UTC.';

create table statistics_head (
  only_one boolean primary key default true check (only_one),
  position bigint not null default 0,
  as_of timestamptz
);
comment on table statistics_head is 'One row, locked by everything that changes the statistics.';
comment on column statistics_head.position is 'The statistics have every change of the feed up to here. A restored ledger has both, so it stays right.';
comment on column statistics_head.as_of is 'Every change before this moment is counted; null: the first count has not ended.';
insert into statistics_head default values;

-- What the ledger has of the last 14 months is counted by the first worker, day by day. One step into the index orders_by_day finds each day.
insert into statistics_due (account, day)
with recursive days(account, day) as (
  select a.account, (select max(o.order_day) from orders o where o.account = a.account) from (select distinct account from imports) a
  union all
  select d.account, (select max(o.order_day) from orders o where o.account = d.account and o.order_day < d.day)
  from days d where d.day > current_date - 430
)
select account, day from days where day is not null;

-- Before the feed began, only what is still held, failed or rejected is known.
insert into daily_reasons (account, day, state, reason_code, count)
select p.account, (p.changed_at at time zone 'UTC')::date, p.state, coalesce(p.reason_code, 'unknown'), count(*)
from (select distinct account from imports) a cross join unnest(array['held', 'failed', 'rejected']) s(state)
join purchase_orders p on p.account = a.account and p.state = s.state
where not p.quote_only and p.reason_code is distinct from 'corrected' and p.changed_at > now() - interval '430 days'
  and p.changed_at < coalesce((select f.at from feed f order by f.id limit 1), now())
group by 1, 2, 3, 4;
