-- As for the lines: the foreign key looks for the import once a PO, a quarter of the time in which the POs of a large
-- file are written. Staging locks the import's row first; the cascade is the trigger's.
alter table purchase_orders drop constraint purchase_orders_import_id_fkey;
create or replace function delete_lines_of_import() returns trigger language plpgsql set search_path from current as
  'begin
     delete from lines where import_id = old.id;
     delete from purchase_orders where import_id = old.id;
     return null;
   end';
