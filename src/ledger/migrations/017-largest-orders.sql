-- What each account has ordered at most, so that a quantity far beyond it can be held.
create table largest_orders (
  account text not null,
  item text not null,
  quantity integer not null,
  known_since timestamptz not null default clock_timestamp(),
  primary key (account, item)
);
comment on table largest_orders is
  'The largest quantity in one line that each account has ordered of each item. A line is compared with it before it is ordered.';
comment on column largest_orders.item is
  'The SKU, or # and the service''s item number; empty: the largest quantity of any item.';
comment on column largest_orders.known_since is
  'Since when the item has a row: POs that are older are not compared with it, so that a file is not compared with itself.';
insert into largest_orders (account, item, quantity)
select p.account, coalesce(i.item, ''), max(l.quantity)
from purchase_orders p
join lines l on l.import_id = p.import_id and l.po_number = p.po_number
cross join lateral (values (coalesce(l.item_sku, '#' || l.item_id)), ('')) as i(item)
where p.state in ('ordered', 'closed')
group by p.account, coalesce(i.item, '');
