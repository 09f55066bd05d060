-- Comments that describe the schema as it is now. src/service/schema.sql shows them.
comment on table dealer_service.audit is
  'Every change, written in the transaction of the change, every refused change, and every fault that was applied. Rows are only added.';
comment on table dealer_service.cart_items is
  'One row for each call that added an item. A service that merges equal SKUs merges them when it reads.';
comment on table dealer_service.carts is
  'Carts, including removed ones, which lagging reads still see. The options are json to keep the order of their fields.';
comment on column dealer_service.carts.removed_by is 'Why the cart no longer exists; null: it is open.';
comment on table dealer_service.clock is
  'The clock of order statuses, one row for all processes: base_ms at base_at, plus the time since then multiplied by speed.';
comment on table dealer_service.migrations is 'The migrations that were applied.';
comment on table dealer_service.orders is 'One order for each warehouse that ships. Its status is derived from steps when it is read.';
comment on column dealer_service.orders.items is 'A list of {sku, name, quantity, available, price_cents}.';
comment on column dealer_service.orders.steps is
  'After how many milliseconds since placed_ms the order reaches each status; null: on hold.';
comment on table dealer_service.po_versions is
  'How often each PO number was changed; without a row, never. A change is written only if the version is still the one that was read (docs/decisions/013).';
comment on table dealer_service.rate_buckets is 'The rate limit of each dealer: when its token bucket is full again.';
comment on table dealer_service.submissions is 'Every POST /orders that took effect. Days are UTC days.';
comment on column dealer_service.submissions.placed_ms is 'The reading of the clock when the order was placed.';
comment on column dealer_service.submissions.ship is 'Recipient and address, with the fields of spec 2.6.';
