-- beside: 027
-- What the files of an account with one header mean, as a person agreed (docs/decisions/062).
create table layouts (
  id bigint generated always as identity primary key,
  account text not null,
  header_key text not null,
  version integer not null,
  kind text not null check (kind in ('order', 'no_order')),
  name text not null,
  header text[] not null,
  settings jsonb not null default '{}',
  who text not null,
  via text not null,
  confirmed_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  unique (account, header_key, version)
);
create unique index one_layout on layouts (account, header_key) where ended_at is null;
comment on table layouts is
  'Layouts of purchase files and their earlier versions: one row for each time that somebody agreed. A row is never changed but for its end.';
comment on column layouts.header_key is 'The names of the header in the form in which they are compared, hashed.';
comment on column layouts.kind is 'order: its files are orders, read by these settings; no_order: they are refused.';
comment on column layouts.header is 'The names as the file had them, in its order; empty: the files have no header.';
comment on column layouts.via is 'console, api or command line: a person; configuration: intake of the account; earlier import: a file that was ordered from before there were layouts; standard names: a file whose other columns are watched.';
comment on column layouts.ended_at is 'When a later version replaced it, or a person removed it; null: it counts.';

alter table imports drop constraint imports_state_check;
alter table imports add constraint imports_state_check check (state in ('taken', 'read', 'refused', 'repeated', 'waiting'));
alter table imports add column waiting_key text, add column waiting_header text[], add column waiting_since timestamptz,
  add column times_waited integer not null default 0, add column layout_id bigint references layouts;
comment on column imports.waiting_key is 'Files with the same header wait under the same key; null: it never waited.';
comment on column imports.waiting_header is 'The names that seem to be its header; null: it never waited, or none was found.';
comment on column imports.waiting_since is 'Since when the file has waited for somebody to say what it means; null: it never waited.';
comment on column imports.times_waited is 'How often it has waited and was then let be read: each time it gets a job of its own.';
comment on column imports.layout_id is 'The layout by which it was read, or refused; null: none was needed.';
create index imports_waiting on imports (account, waiting_key) where state = 'waiting';

-- One notification for each header, not for each file.
create function notify_of_waiting_file() returns trigger language plpgsql set search_path = cartwright as $$
begin
  if not exists (select from imports i where i.account = new.account and i.waiting_key = new.waiting_key
      and i.state = 'waiting' and i.id <> new.id) then
    perform record_notification('file_waits', new.account, new.file_name, new.reason_text, null, new.id);
  end if;
  return null;
end $$;
create trigger notify_of_waiting_file after update of state on imports for each row
  when (new.state = 'waiting' and old.waiting_since is null) execute function notify_of_waiting_file();

-- The files that were ordered from before: the first worker makes layouts of their headers (docs/decisions/062).
create table layouts_to_adopt (
  import_id bigint primary key references imports on delete cascade,
  account text not null
);
comment on table layouts_to_adopt is
  'Imports from before there were layouts, one for each header, whose way of reading is still to become a layout.';
insert into layouts_to_adopt (import_id, account)
select distinct on (i.account, i.detection -> 'columns', i.detection -> 'combined') i.id, i.account from imports i
where i.state = 'read' and i.detection is not null
  and exists (select from purchase_orders p where p.import_id = i.id and p.state in ('ordered', 'closed'))
order by i.account, i.detection -> 'columns', i.detection -> 'combined', i.id desc;

-- What the columns say that are not read: what is new is asked before it is ordered.
create table layout_values (
  account text not null,
  header_key text not null,
  column_key text not null,
  value_key text not null,
  answer text not null check (answer in ('seen', 'order', 'leave_out', 'ask', 'pieces')),
  pieces integer check (pieces between 1 and 100000),
  who text,
  via text,
  note text,
  at timestamptz not null default clock_timestamp(),
  primary key (account, header_key, column_key, value_key)
);
comment on table layout_values is
  'The values of telling columns, by the header of their files, and what is done with rows that have them. They outlive the versions of a layout.';
comment on column layout_values.value_key is 'The value in the form in which values are compared; a blank and *: all other values of the column.';
comment on column layout_values.answer is 'seen: the first file had it, and nobody was asked. Otherwise what a person decided.';
comment on column layout_values.pieces is 'pieces: one in the quantity of such rows is so many pieces.';
alter table row_issues add column question text;
comment on column row_issues.question is
  'The keys of the column and of its value, on two lines, by which the answer is remembered; null: it asks nothing.';
create index row_issues_questions on row_issues (import_id, po_number) where question is not null;
alter table imports add column grouping jsonb;
comment on column imports.grouping is 'By what its rows were grouped into POs, so that a PO can be rebuilt without skipped rows; null: read by an earlier version.';
