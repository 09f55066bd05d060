-- Intake: what staging needs to see which POs are the same.

-- Only where the PO number has characters beyond ASCII: its compatible form without case, which SQL's lower() does not
-- give in every locale. Otherwise lower(po_number) is the key.
alter table lines add column po_key text;

-- Rule 9: a PO that came again with the same content. Its rows are answered by the first one.
create table repeated_purchase_orders (
  import_id bigint not null references imports on delete cascade,
  po_number text not null,
  first_row integer not null,
  line_count integer not null,
  purchase_order_id bigint not null references purchase_orders on delete cascade,
  primary key (import_id, po_number)
);
create index repeated_by_purchase_order on repeated_purchase_orders (purchase_order_id);

-- The POs of an import page by page, in the file's order.
create index purchase_orders_by_import on purchase_orders (import_id, id);
