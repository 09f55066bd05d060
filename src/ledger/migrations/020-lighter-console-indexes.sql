-- The console reads without an index that each change of a PO has to write (docs/decisions/033).

-- Every change of a PO changes changed_at. An index with it, even a partial one, makes Postgres write to all indexes of the
-- table where it would have written to none.
drop index purchase_orders_held_since;

-- By bytes instead of the database's collation, so that the same index also finds numbers by their beginning.
drop index purchase_orders_by_number;
drop index one_live_po;
create unique index one_live_po on purchase_orders (account, po_key text_pattern_ops, po_number, quote_only, (
  case when state not in ('rejected', 'failed', 'cancelled') and reason_code is distinct from 'conflicting_po' then 0 else id end));

-- With one column, equal SKUs share an entry of the index.
drop index lines_by_sku;
create index lines_by_sku on lines (lower(item_sku) text_pattern_ops) where item_sku is not null;

create index orders_by_first_tracking on orders (lower(tracking_numbers[1]) text_pattern_ops) where tracking_numbers <> '{}';
