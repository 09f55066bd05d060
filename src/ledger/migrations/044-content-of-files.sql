-- beside: 027
-- A PO came before if the dealer's file says the same, whatever the account's configuration adds to it.
alter table purchase_orders add column file_hash text;
comment on column purchase_orders.file_hash is 'sha-256 of the options and lines as the file has them (rule 9), without constants of the account; null: an earlier version read the file, and content_hash is compared.';
alter table lines add column filled text;
comment on column lines.filled is 'Which values a constant of the account filled in: s (item_sku), i (item_id), q (quantity), n (note), p (expected_price); null: none.';
alter table repeated_purchase_orders add column options json, add column content_hash text;
comment on column repeated_purchase_orders.options is 'The cart options that the PO would have had in this file; null: an earlier version read it.';

-- PO numbers that become equal only because we clean them are not joined in silence.
alter table lines add column po_written text;
comment on column lines.po_written is 'The PO number as the row has it, where characters that cannot be seen or only look like others were cleaned; null: as po_number.';
alter table purchase_orders add column po_written text;
comment on column purchase_orders.po_written is 'The same where all rows of the PO have it; null: as po_number, in several ways, or an earlier version read the file.';
