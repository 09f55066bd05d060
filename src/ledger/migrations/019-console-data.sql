-- What the console's lists and searches need. Indexes on what every PO changes at every step would slow placing, so these
-- are partial, or on columns that are written once.

-- Searches by the beginning of a text, whatever the database's collation is.
create index purchase_orders_by_number on purchase_orders (po_key text_pattern_ops);
create index lines_by_sku on lines (lower(item_sku) text_pattern_ops, import_id) where item_sku is not null;
create index orders_by_number on orders (lower(order_number) text_pattern_ops);
create index orders_by_invoice on orders (lower(invoice_number) text_pattern_ops) where invoice_number is not null;
create index orders_by_ship_name on orders (lower(ship_name) text_pattern_ops) where ship_name is not null;
create index orders_by_zip on orders (lower(ship_zip) text_pattern_ops) where ship_zip is not null;
create index orders_by_tracking on orders using gin (tracking_numbers) where tracking_numbers <> '{}';
create index imports_by_name on imports (lower(file_name) text_pattern_ops);
create index imports_by_account on imports (account, id);

-- What needs a person, and what happened in the last day.
create index purchase_orders_held on purchase_orders (account, reason_code, id) where state = 'held';
create index purchase_orders_held_since on purchase_orders (account, reason_code, changed_at) where state = 'held';
create index purchase_orders_alarms on purchase_orders (account, id) where alarm is not null;
create index purchase_orders_changed on purchase_orders using brin (changed_at) with (pages_per_range = 32, autosummarize = on);
create index intents_begun on intents using brin (begun_at) with (pages_per_range = 32, autosummarize = on);
create index operator_actions_by_po on operator_actions (purchase_order_id) where purchase_order_id is not null;
create index operator_actions_by_import on operator_actions (import_id) where import_id is not null;

create table bulk_runs (
  id bigint generated always as identity primary key,
  action text not null,
  filter jsonb not null,
  accounts text[],
  who text not null,
  via text not null,
  note text,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'stopped', 'finished')),
  expected integer not null,
  tried integer not null default 0,
  done integer not null default 0,
  not_done integer not null default 0,
  reasons jsonb not null default '{}',
  after_id bigint not null default 0,
  up_to_id bigint not null,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  stopped_by text,
  runner uuid,
  runner_until timestamptz
);
create index bulk_runs_open on bulk_runs (id) where state in ('waiting', 'running');
comment on table bulk_runs is
  'Operator actions on all POs that match a filter. A console works on a run; when it ends, another one goes on.';
comment on column bulk_runs.accounts is 'The accounts whose POs the person may change; null: all of them.';
comment on column bulk_runs.reasons is 'Why POs could not be changed: sentence to number.';
comment on column bulk_runs.after_id is 'The last PO that was tried; the run goes on behind it.';
comment on column bulk_runs.up_to_id is 'The last PO when the run was confirmed: later ones are not tried.';
comment on column bulk_runs.created_at is 'Only POs that have not changed since are tried.';
comment on column bulk_runs.runner is 'The console that works on it until runner_until.';

create table uploads (
  id uuid primary key,
  account text not null,
  file_name text not null,
  sha256 text not null,
  size_bytes bigint not null,
  path text not null,
  who text not null,
  uploaded_at timestamptz not null default clock_timestamp(),
  state text not null default 'draft' check (state in ('draft', 'confirmed', 'discarded')),
  mapping jsonb,
  quote_only boolean not null default false,
  reread_of bigint references imports (id) on delete set null,
  import_id bigint references imports (id) on delete cascade,
  confirmed_by text,
  confirmed_at timestamptz
);
create index uploads_by_content on uploads (account, sha256) where state = 'confirmed';
create index uploads_by_import on uploads (import_id) where import_id is not null;
comment on table uploads is
  'Files that were uploaded in the console. A draft is deleted after a day; a confirmed one belongs to its import.';
comment on column uploads.path is 'The uploaded file, relative to the account''s folder.';
comment on column uploads.mapping is 'How a person decided that the file is read, where the account''s settings do not fit; null: as the account has it.';
comment on column uploads.reread_of is 'The import that is read again with another mapping.';
comment on column uploads.import_id is 'The import that it became; null: not yet.';

alter table account_states
  add column operator_paused_at timestamptz,
  add column operator_paused_by text,
  add column operator_pause_note text;
comment on column account_states.operator_paused_at is
  'Since when a person has paused the account; paused_until is then the year 9999, and only a person ends the pause. Null: nobody has.';
