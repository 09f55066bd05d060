-- The ledger: what came in, what it became, and every step that may have changed something at the service.
-- Append-only: a later change is a new file.

create table imports (
  id bigint generated always as identity primary key,
  account text not null,
  -- The name the dealer gave; shown, never used as a path.
  file_name text not null,
  sha256 text not null,
  size_bytes bigint not null,
  -- The private copy, relative to the account's folder: working/<id>/... and later done/ or failed/.
  file_path text not null,
  state text not null default 'taken' check (state in ('taken', 'read', 'refused', 'repeated')),
  reason_code text,
  reason_text text,
  format text,
  -- What was decided about encoding, delimiter, sheet, header row and columns, and why.
  detection jsonb,
  row_count integer not null default 0,
  taken_at timestamptz not null default now(),
  read_at timestamptz,
  -- Something that the result file shows has changed since it was written.
  result_due boolean not null default true,
  result_path text,
  result_written_at timestamptz,
  quote_only boolean not null default false
);
create index imports_by_sha on imports (account, sha256);
create index imports_taken on imports (id) where state = 'taken';
create index imports_due on imports (id) where result_due;

-- Every row of a purchase file that names an item, under the row number that the spreadsheet shows.
-- Rows are copied in while the file is read; the answer columns are filled when the service takes the line.
create table lines (
  import_id bigint not null references imports on delete cascade,
  row_number integer not null,
  po_number text,
  item_sku text,
  item_id text,
  quantity integer,
  note text,
  expected_price numeric,
  -- The cart options of this row as canonical JSON text (sorted names, blank ones left out); equal text = equal options.
  options text not null default '{}',
  -- The cart_epoch in which the service answered, and what it answered (spec 2.3).
  answered_epoch integer,
  sku text,
  name text,
  available_quantity integer,
  backorder_quantity integer,
  dealer_price numeric,
  -- Why the service refused this line.
  refusal text,
  primary key (import_id, row_number)
);
create index lines_by_po on lines (import_id, po_number);

create table row_issues (
  import_id bigint not null references imports on delete cascade,
  row_number integer not null,
  -- The PO that this issue keeps back; null when the row belongs to none.
  po_number text,
  -- An issue rejects its PO; a note only tells.
  severity text not null default 'issue' check (severity in ('issue', 'note')),
  column_name text not null,
  code text not null,
  message text not null,
  found text,
  expected text
);
create index row_issues_by_import on row_issues (import_id, row_number);

create table purchase_orders (
  id bigint generated always as identity primary key,
  account text not null,
  po_number text not null,
  -- The PO number without case, so that two that differ only in case are seen.
  po_key text not null,
  import_id bigint not null references imports on delete cascade,
  first_row integer not null,
  line_count integer not null,
  -- Cart options of spec 2.1 by their API names.
  options jsonb not null default '{}',
  -- sha-256 of the normalised options and lines.
  content_hash text not null,
  state text not null check (state in (
    'rejected', 'held', 'ready', 'cart_created', 'items_added', 'submitting', 'verifying',
    'ordered', 'closed', 'failed', 'cancelled')),
  reason_code text,
  reason_text text,
  -- The attempt; every change of state is conditional on it.
  epoch integer not null default 0,
  -- The epoch whose create intent made the cart that now stands.
  cart_epoch integer,
  cart_number text,
  rebuilds integer not null default 0,
  -- Order numbers that stood under this PO number before our first change (rule 2); null = never looked.
  baseline text[],
  -- Direct looks that verifying has made (rule 7).
  looks integer not null default 0,
  -- Calls in a row that did not reach the service, and since when.
  failures integer not null default 0,
  failing_since timestamptz,
  -- A person cancelled it; its cart, if any, is still to be deleted.
  cancelling boolean not null default false,
  -- Guards that a person has released, with the numbers as released.
  approvals jsonb not null default '{}',
  alarm text,
  -- Rule 8: the order's quantities were compared with the file's.
  quantities_checked boolean not null default false,
  -- Not before this moment (settle, backoff); the database's clock.
  next_at timestamptz not null default now(),
  -- Counts job runs; part of the job's key, so that a finished job's key is never used again.
  run integer not null default 0,
  lease_owner uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  ordered_at timestamptz,
  closed_at timestamptz,
  unique (import_id, po_number)
);
-- One live PO per account and PO number. A conflicting one waits beside it and is not live.
create unique index one_live_po on purchase_orders (account, po_number)
  where state not in ('rejected', 'failed', 'cancelled') and reason_code is distinct from 'conflicting_po';
create index purchase_orders_by_key on purchase_orders (account, po_key);
create index purchase_orders_active on purchase_orders (next_at)
  where state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying');
create index purchase_orders_active_by_import on purchase_orders (import_id)
  where state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying');
create index purchase_orders_leased on purchase_orders (lease_until) where lease_owner is not null;
create index purchase_orders_open on purchase_orders (account, id) where state in ('ordered', 'held', 'verifying');
create index purchase_orders_by_state on purchase_orders (account, state, id);

-- Rule 1: an intent is committed before a step that changes something at the service, its outcome after.
-- An intent without an outcome means that the outcome is unknown.
create table intents (
  id bigint generated always as identity primary key,
  purchase_order_id bigint not null references purchase_orders on delete cascade,
  epoch integer not null,
  step text not null check (step in ('create_cart', 'add_items', 'delete_cart', 'submit_order')),
  begun_at timestamptz not null default now(),
  outcome text check (outcome in ('done', 'partial', 'not_acted', 'refused', 'contradicted', 'unknown')),
  detail text,
  ended_at timestamptz
);
create index intents_by_po on intents (purchase_order_id, epoch);
-- Rule 7: submit is at most once per epoch, and so is create. A call that certainly did not act doesn't count.
create unique index one_submit_per_epoch on intents (purchase_order_id, epoch)
  where step = 'submit_order' and outcome is distinct from 'not_acted';
create unique index one_create_per_epoch on intents (purchase_order_id, epoch)
  where step = 'create_cart' and outcome is distinct from 'not_acted';

create table orders (
  id bigint generated always as identity primary key,
  purchase_order_id bigint not null references purchase_orders on delete cascade,
  account text not null,
  po_number text not null,
  order_number text not null,
  -- Spec 2.6 and 2.7, as the service last answered; money as decimal, dates verbatim.
  ship_name text,
  ship_address text,
  ship_city text,
  ship_state text,
  ship_zip text,
  order_status text,
  invoice_number text,
  freight numeric,
  misc_charges numeric,
  order_total numeric,
  warehouse text,
  order_date text,
  ship_date text,
  invoice_date text,
  ship_via text,
  tracking_numbers text[] not null default '{}',
  items jsonb,
  first_seen_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  unique (purchase_order_id, order_number)
);
create index orders_by_account on orders (account, id);

create table status_changes (
  id bigint generated always as identity primary key,
  order_id bigint not null references orders on delete cascade,
  field text not null,
  was text,
  became text,
  seen_at timestamptz not null default now()
);
create index status_changes_by_order on status_changes (order_id);

-- What holds for a whole account: its pause (rule 13) and its last poll.
create table account_states (
  account text primary key,
  paused_until timestamptz,
  pause_code text,
  pause_reason text,
  pauses integer not null default 0,
  paused_by text,
  polled_at timestamptz,
  poll_note text,
  report_path text,
  report_written_at timestamptz
);

-- Who steered what, and when.
create table operator_actions (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  who text not null,
  action text not null,
  account text,
  import_id bigint,
  purchase_order_id bigint,
  note text
);
