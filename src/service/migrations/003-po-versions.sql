-- How often each PO number of a dealer was changed. A change is decided on what was read at one version and written only
-- where that is still the version (see src/service/change-po.ts).
create table dealer_service.po_versions (
  dealer    text not null,
  po_number text not null,
  version   bigint not null,
  primary key (dealer, po_number)
) with (fillfactor = 70);
-- A PO number without a row is at version 0, whatever was done under it before this table was made.
