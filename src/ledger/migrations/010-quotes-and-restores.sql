-- A quote never counts as the PO: live quotes and live orders of one PO number are unique each among themselves.
alter table purchase_orders add column quote_only boolean not null default false;
update purchase_orders p set quote_only = true from imports i where i.id = p.import_id and i.quote_only;
drop index one_live_po;
create unique index one_live_po on purchase_orders (account, po_key, po_number, quote_only, (
  case when state not in ('rejected', 'failed', 'cancelled') and reason_code is distinct from 'conflicting_po'
    then 0 else id end));

alter table imports
  -- Imported again from done/ into a ledger that was older than the folder.
  add column restored boolean not null default false,
  -- State `repeated`: the import of the same bytes that answers for this one.
  add column repeats_import_id bigint references imports on delete set null;
create index imports_by_repeated on imports (repeats_import_id) where repeats_import_id is not null;
update imports r set repeats_import_id = (
  select max(e.id) from imports e
  where e.account = r.account and e.sha256 = r.sha256 and e.id < r.id and e.state in ('taken', 'read') and not e.quote_only)
where r.state = 'repeated';

-- How many files were put into an account's done/. The folder keeps the same number: a folder that is ahead has files
-- that this ledger does not know, because the ledger was restored from an older backup or replaced by an empty one.
create table folder_positions (
  account text primary key,
  position bigint not null,
  -- The folder was found ahead, and its files were not all imported yet.
  restore_due boolean not null default false
);

-- A rejected PO that was sent again and accepted is no longer a problem that somebody has to solve.
update purchase_orders p set reason_code = 'corrected',
  reason_text = coalesce(p.reason_text || ' ', '') || 'Corrected in import ' || l.import_id || '.'
from (
  select r.id, min(n.import_id) as import_id
  from purchase_orders r
  join purchase_orders n on n.account = r.account and n.po_key = r.po_key and n.po_number = r.po_number
    and n.id > r.id and n.state <> 'rejected' and n.quote_only = r.quote_only
  where r.state = 'rejected' group by r.id
) l
where l.id = p.id;
