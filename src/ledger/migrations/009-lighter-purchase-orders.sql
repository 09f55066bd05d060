-- Made anew below; dropped first, so that they are not built again for the other type.
drop index one_live_po;
drop index purchase_orders_by_key;

-- Nothing asks into a PO's options: as json they are kept as they were written, and 200,000 of them are not parsed into
-- a tree when a large file is grouped.
alter table purchase_orders alter column options drop default;
alter table purchase_orders alter column options type json using options::json;
alter table purchase_orders alter column options set default '{}';
comment on column lines.options is
  'The cart options of this row as canonical JSON text, as a jsonb is written; {} also where the row repeats those of its PO''s row above.';

-- One index does what two did, and each PO that is written or moved writes one less: POs are looked up by their key, and
-- of all POs of one number at most one is live. The others differ by their id.
create unique index one_live_po on purchase_orders (account, po_key, po_number, (
  case when state not in ('rejected', 'failed', 'cancelled') and reason_code is distinct from 'conflicting_po'
    then 0 else id end));

-- What 008 made of them deletes an import's POs too.
alter trigger lines_of_import on imports rename to rows_of_import;
alter function delete_lines_of_import() rename to delete_rows_of_import;
