-- The dealer order service's own tables. Facts only: statuses, dates and what a late reader may see are
-- derived from them when they are read.

-- What orders go by: one reading, in milliseconds, for every process on this database.
create table dealer_service.clock (
  only_one   boolean primary key default true check (only_one),
  base_ms    double precision not null,
  base_at    timestamptz not null,
  speed      double precision not null check (speed >= 0)
);
insert into dealer_service.clock (base_ms, base_at, speed) values (0, clock_timestamp(), 1);

create function dealer_service.clock_ms() returns double precision language sql volatile as $$
  select base_ms + greatest(extract(epoch from clock_timestamp() - base_at), 0)::double precision * 1000 * speed
  from dealer_service.clock
$$;

-- json, not jsonb, where an answer shows the object: it keeps the order of the spec's fields.
-- A removed cart stays as a row: reads that lag still see it, and the past can be explained.
create table dealer_service.carts (
  cart_id       bigint generated always as identity primary key,
  cart_number   text not null generated always as ('C' || (10000000 + cart_id)::text) stored,
  dealer        text not null,
  po_number     text not null,
  shipment_type text not null,
  options       json not null,
  created_at    timestamptz not null default clock_timestamp(),
  removed_at    timestamptz,
  removed_by    text check (removed_by in ('deleted', 'replaced', 'submitted')),
  check ((removed_at is null) = (removed_by is null))
);
create unique index carts_open on dealer_service.carts (dealer, po_number) where removed_at is null;
create index carts_of_po on dealer_service.carts (dealer, po_number);

-- One row per call that added something; a service that merges equal SKUs does so when it reads.
create table dealer_service.cart_items (
  item_id            bigint generated always as identity primary key,
  cart_id            bigint not null references dealer_service.carts,
  sku                text not null,
  name               text not null,
  quantity           integer not null check (quantity > 0),
  available_quantity integer not null check (available_quantity between 0 and quantity),
  price_cents        bigint not null check (price_cents >= 0),
  note               text,
  created_at         timestamptz not null default clock_timestamp()
);
create index cart_items_of_cart on dealer_service.cart_items (cart_id);

-- One POST /orders that took effect. Days are UTC days.
create table dealer_service.submissions (
  submission_id bigint generated always as identity primary key,
  cart_id       bigint not null references dealer_service.carts,
  dealer        text not null,
  po_number     text not null,
  order_date    date not null default (clock_timestamp() at time zone 'utc')::date,
  created_at    timestamptz not null default clock_timestamp(),
  placed_ms     double precision not null default dealer_service.clock_ms(),
  ship          json not null
);
create index submissions_of_po on dealer_service.submissions (dealer, po_number);
create index submissions_of_day on dealer_service.submissions (dealer, order_date, submission_id);

-- One order per warehouse. items: [{sku, name, quantity, available, price_cents}]. steps: at which
-- milliseconds after placed_ms the order reaches each status; no steps at all while it is on hold.
create table dealer_service.orders (
  order_id      bigint generated always as identity primary key,
  order_number  text not null generated always as ((20000000 + order_id)::text) stored,
  submission_id bigint not null references dealer_service.submissions,
  warehouse     text not null,
  ship_via      text not null,
  freight_cents bigint not null,
  misc_cents    bigint not null,
  total_cents   bigint not null,
  items         jsonb not null,
  steps         jsonb
);
create index orders_of_submission on dealer_service.orders (submission_id);
create unique index orders_by_number on dealer_service.orders (order_number);

-- What really happened: written in the transaction of the change itself. Also what was refused, and every
-- fault that was given.
create table dealer_service.audit (
  audit_id   bigint generated always as identity primary key,
  at         timestamptz not null default clock_timestamp(),
  request_id text not null,
  dealer     text not null,
  po_number  text,
  endpoint   text not null,
  outcome    text not null check (outcome in ('acted', 'refused', 'fault')),
  status     integer,
  detail     jsonb not null
);
create index audit_of_po on dealer_service.audit (dealer, po_number);

-- Token buckets of the rate limit, shared by every process: when a dealer's bucket will be full again.
create table dealer_service.rate_buckets (
  dealer  text primary key,
  full_at timestamptz not null
);
