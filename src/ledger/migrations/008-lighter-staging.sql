-- As for the lines: the foreign key looks for the import once a PO, a quarter of the time in which the POs of a large
-- file are written. Staging locks the import's row first; the cascade is the trigger's.
alter table purchase_orders drop constraint purchase_orders_import_id_fkey;
create or replace function delete_lines_of_import() returns trigger language plpgsql set search_path from current as
  'begin
     delete from lines where import_id = old.id;
     delete from purchase_orders where import_id = old.id;
     return null;
   end';

-- What a line asks for, hashed with two seeds: computed while the file is read and the database has time to spare, and
-- not when its rows are grouped. Equal lines have equal hashes, whatever the scale of their prices. A unit separator
-- cannot be in a value: intake refuses control characters. Postgres keeps these hashes the same over its versions, for
-- tables are partitioned by them.
alter table lines
  add column hash_0 bigint generated always as (hashtextextended((
    coalesce(item_sku, '') || E'\x1f' || coalesce(item_id, '') || E'\x1f' || coalesce(quantity::text, '') || E'\x1f'
    || coalesce(note, '') || E'\x1f' || coalesce(trim_scale(expected_price)::text, '')) collate "C", 0)) stored,
  add column hash_1 bigint generated always as (hashtextextended((
    coalesce(item_sku, '') || E'\x1f' || coalesce(item_id, '') || E'\x1f' || coalesce(quantity::text, '') || E'\x1f'
    || coalesce(note, '') || E'\x1f' || coalesce(trim_scale(expected_price)::text, '')) collate "C", 1)) stored;

comment on column lines.options is
  'The cart options of this row as canonical JSON text; {} also where the row repeats those of its PO''s row above.';
