-- Taking a PO, and the beginning of most of its steps, change no indexed column any more, so that such an update
-- writes no index (a heap-only tuple), given room on the page. What these indexes were for is found by the others:
-- open POs by state, leases among the active ones.
drop index purchase_orders_open;
drop index purchase_orders_leased;
drop index purchase_orders_active;
drop index purchase_orders_active_by_import;
create index purchase_orders_active on purchase_orders (import_id, id)
  where state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying');
alter table purchase_orders set (fillfactor = 85);
