-- beside: 027
-- Rows of a file that a person corrected in the browser: they are an upload of their own (docs/decisions/066).
create table corrections (
  upload_id uuid primary key references uploads(id) on delete cascade,
  import_id bigint not null references imports(id) on delete cascade,
  header_key text not null,
  settings jsonb not null,
  changes jsonb not null
);
create index corrections_by_import on corrections (import_id);
comment on table corrections is 'What persons corrected in the browser: the upload with the corrected rows, and what they changed.';
comment on column corrections.import_id is 'The import whose rows were corrected.';
comment on column corrections.header_key is 'The header of the file with these rows as it first came: what is known of the values of its columns applies.';
comment on column corrections.settings is 'How the corrected rows are read, as the settings of a layout.';
comment on column corrections.changes is 'The rows that were changed, added or removed, with each cell before and after.';

create table corrected_purchase_orders (
  upload_id uuid not null references corrections(upload_id) on delete cascade,
  purchase_order_id bigint not null references purchase_orders(id) on delete cascade,
  po_number text not null,
  primary key (upload_id, purchase_order_id)
);
create index corrected_by_purchase_order on corrected_purchase_orders (purchase_order_id);
comment on table corrected_purchase_orders is 'The POs whose rows were corrected in the browser.';
comment on column corrected_purchase_orders.po_number is 'Its number in the corrected rows, which a person may have corrected, too.';
