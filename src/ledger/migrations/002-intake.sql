-- Intake: what staging needs to see which POs are the same.

-- Only where the PO number has characters beyond ASCII: its compatible form without case, which SQL's lower() does not
-- give in every locale. Otherwise lower(po_number) is the key.
alter table lines add column po_key text;

-- The foreign key was half of the time of staging: it looks for the import once a line. Staging locks the import's row
-- before it copies lines, so that nothing is lost but the cascade, which a trigger does.
alter table lines drop constraint lines_import_id_fkey;
create function delete_lines_of_import() returns trigger language plpgsql set search_path from current as
  'begin delete from lines where import_id = old.id; return null; end';
create trigger lines_of_import after delete on imports for each row execute function delete_lines_of_import();

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
