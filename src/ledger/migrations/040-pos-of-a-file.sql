-- beside: 027
-- Most POs of a ledger are closed, and counting them takes longer every month. Each file's POs are counted when they come, so that
-- only those that are not closed need to be counted. Null: read by a worker of an earlier version, then they are counted.
alter table imports add column po_count integer;
comment on column imports.po_count is 'The POs that came into the ledger with it; null: not counted.';

-- A file that is being read is not touched: it may be read by a worker of an earlier version.
update imports i set po_count = (select count(*) from purchase_orders p where p.import_id = i.id) where i.state <> 'taken';

create index imports_by_po_count on imports (account, po_count);
