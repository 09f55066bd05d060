-- beside: 027
-- What orders are listed, filtered and sorted by. In the database, so that it holds for workers of earlier versions too.
create function readable_day(given text) returns date language sql immutable strict parallel safe as $$
  select case when given ~ '^[12]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$' then
    -- A day that the month does not have is none.
    case when extract(month from make_date(left(given, 4)::int, substr(given, 6, 2)::int, 1) + (right(given, 2)::int - 1))
        = substr(given, 6, 2)::int
      then make_date(left(given, 4)::int, substr(given, 6, 2)::int, 1) + (right(given, 2)::int - 1) end
  end $$;
create function pieces_of(items jsonb, field text) returns bigint language sql immutable strict parallel safe as $$
  select case when jsonb_typeof(items) = 'array' then (
    select sum(case when item ->> field ~ '^\d{1,9}$' then (item ->> field)::bigint end)
    from jsonb_array_elements(items) item) end $$;

alter table orders add column first_seen_at timestamptz not null default now(), add column gone_at timestamptz;
update orders o set first_seen_at = coalesce(p.ordered_at, o.changed_at) from purchase_orders p where p.id = o.purchase_order_id;
alter table orders
  add column order_day date not null generated always as (coalesce(readable_day(order_date), (first_seen_at at time zone 'UTC')::date)) stored,
  add column ship_day date generated always as (readable_day(ship_date)) stored,
  add column invoice_day date generated always as (readable_day(invoice_date)) stored,
  add column is_shipped boolean not null generated always as (
    ship_date is not null or coalesce(order_status, '') in ('Shipped', 'Invoiced')) stored,
  add column pieces bigint generated always as (pieces_of(items, 'order_quantity')) stored,
  add column pieces_shipped bigint generated always as (
    case when ship_date is not null or coalesce(order_status, '') in ('Shipped', 'Invoiced') then pieces_of(items, 'ship_quantity') end) stored,
  add column pieces_backordered bigint generated always as (pieces_of(items, 'backorder_quantity')) stored;
comment on column orders.first_seen_at is 'When the order came into the ledger.';
comment on column orders.gone_at is 'Since when the service shows all orders of the PO without this one; null: it shows it.';
comment on column orders.order_day is 'Of order_date, where that is a day such as 2026-11-26; otherwise the UTC day of first_seen_at.';
comment on column orders.ship_day is 'Of ship_date; null: none that can be read. So is invoice_day.';
comment on column orders.is_shipped is 'It has left the warehouse, by its status or its date.';
comment on column orders.pieces is 'The sum of what can be read in the items; null: nothing. So are the two below.';

drop index orders_by_status;
create index orders_by_status on orders (account, order_status, order_day, id);
create index orders_by_day on orders (account, order_day, id);
-- An order without the fact sorts behind all others, so that none is left out of a sorted list.
create index orders_by_ship_day on orders (account, (coalesce(ship_day, '-infinity'::date)), id);
create index orders_by_invoice_day on orders (account, (coalesce(invoice_day, '-infinity'::date)), id);
create index orders_by_total on orders (account, (coalesce(order_total, '-Infinity'::numeric)), id);
create index orders_by_po on orders (lower(po_number) text_pattern_ops);
create index orders_backordered on orders (account, order_day, id) where pieces_backordered > 0 or order_status = 'B/O';
create index orders_untracked on orders (account, order_day, id) where is_shipped and tracking_numbers = '{}';
create index orders_unshipped on orders (account, order_day, id) where not is_shipped;
