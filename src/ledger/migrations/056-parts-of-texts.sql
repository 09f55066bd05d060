-- beside: 027
-- Search by a part of a number or name, views that people save, and how each of them sees times (docs/decisions/068).

-- Both at once and first: while a file is read, this fails before anything was built. `imports` first, as in staging.
lock table imports, purchase_orders in access exclusive mode;

-- Every three characters in a row of a text, for a GIN index: what contains a text contains all of its parts. No extension, because a
-- dealer's Postgres may not have it, or not allow it.
create function text_parts(given text) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(given, n, 3)), '{}') from generate_series(1, length(given) - 2) n $$;

create index imports_by_part on imports using gin (text_parts(lower(file_name)));

-- A PO changes at each step, and an index on its parts would be written each time. So its number is kept once, where nothing changes.
create table po_number_blocks (
  account text not null,
  first_po bigint not null,
  last_po bigint not null,
  keys text not null,
  primary key (account, first_po)
) with (toast_tuple_target = 8160);
-- In the row itself as long as it fits, and never compressed there: every search reads all of them.
alter table po_number_blocks alter column keys set storage main;
comment on table po_number_blocks is
  'The PO numbers of an account, about a hundred in a row: the search reads all of them in some milliseconds. A trigger adds those of new POs.';
comment on column po_number_blocks.first_po is 'The ID of the first PO. Blocks of an account overlap only where two of its files were read at the same time.';
comment on column po_number_blocks.keys is 'purchase_orders.po_key of each PO from first_po to last_po of the account, one a line.';

create function note_po_numbers() returns trigger language plpgsql set search_path to cartwright as $$
declare
  block record;
begin
  for block in
    select a.account, min(a.id) as first_po, max(a.id) as last_po, string_agg(a.po_key, E'\n' order by a.id) as keys
    from (select account, id, po_key, (row_number() over (partition by account order by id) - 1) / 100 as nth from added) a
    group by a.account, a.nth order by a.account, a.nth
  loop
    -- Files of a few POs fill one block together.
    -- Two files of an account can be read at the same time, and the one with the lower IDs be the last to commit.
    update po_number_blocks b set keys = b.keys || E'\n' || block.keys, last_po = greatest(b.last_po, block.last_po)
    where b.account = block.account and b.first_po < block.first_po and octet_length(b.keys) < 600 and octet_length(block.keys) < 600
      and b.first_po = (select max(l.first_po) from po_number_blocks l where l.account = block.account);
    if not found then
      insert into po_number_blocks values (block.account, block.first_po, block.last_po, block.keys);
    end if;
  end loop;
  return null;
end $$;
insert into po_number_blocks (account, first_po, last_po, keys)
select p.account, min(p.id), max(p.id), string_agg(p.po_key, E'\n' order by p.id)
from (select account, id, po_key, (row_number() over (partition by account order by id) - 1) / 100 as nth from purchase_orders) p
group by p.account, p.nth;
-- Only now, so that no PO is noted twice.
create trigger note_po_numbers after insert on purchase_orders referencing new table as added
  for each statement execute function note_po_numbers();

-- Lines are too many for an index of their parts, and a file orders the same items as the one before it.
create table item_numbers (
  account text not null,
  item text not null,
  primary key (account, item)
);
comment on table item_numbers is
  'Every SKU that a line of the account had, in small letters. A worker notes those of a file within a minute after it was read.';
create index item_numbers_by_part on item_numbers using gin (text_parts(item));
alter table imports add column items_noted boolean not null default false;
comment on column imports.items_noted is 'The SKUs of its lines are in item_numbers.';
create index imports_unnoted on imports (id) where state = 'read' and not items_noted;

-- What the list of imports is sorted by.
create index imports_by_rows on imports (row_count, id);
create index imports_by_pos on imports ((coalesce(po_count, 0)), id);

create table console_views (
  id bigint generated always as identity primary key,
  user_id bigint references console_users (id) on delete set null,
  made_by text not null,
  page text not null,
  name text not null,
  search text not null,
  account text,
  shared boolean not null,
  created_at timestamptz not null default now()
);
create unique index console_views_by_name on console_views (user_id, page, lower(name));
comment on table console_views is 'Filters and order of a list that a person saved under a name.';
comment on column console_views.user_id is 'Whose it is; null: the user was removed, and the view is shared.';
comment on column console_views.search is 'The query of the page''s address.';
comment on column console_views.account is 'The account that it filters by: who may not see it does not see the view. Null: none.';
comment on column console_views.shared is 'Everybody who may see the page sees the view.';

alter table console_users
  add column times text not null default 'mixed' check (times in ('mixed', 'relative', 'absolute')),
  add column zone text not null default 'account' check (zone in ('account', 'own'));
comment on column console_users.times is 'mixed: how long ago where that helps, otherwise the time. relative: always how long ago. absolute: always the time.';
comment on column console_users.zone is 'In which time zone the user sees times. account: that of the account. own: that of the browser.';
