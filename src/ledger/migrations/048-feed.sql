-- beside: 027
-- The feed of changes for programs (docs/decisions/063). Recorded by triggers, so that it is whole beside workers of earlier versions.
create table feed (
  id bigint generated always as identity primary key,
  position bigint unique,
  at timestamptz not null default clock_timestamp(),
  account text not null,
  purchase_order_id bigint not null,
  po_number text not null,
  order_number text,
  kind text not null,
  before jsonb,
  after jsonb
);
create index feed_unnumbered on feed (id) where position is null;
create index feed_by_account on feed (account, position) where position is not null;
create index feed_by_time on feed using brin (at) with (pages_per_range = 32, autosummarize = on);
comment on table feed is
  'Changes for programs: one row for each change of a PO or an order, kept for 30 days. Changes of one PO have ascending ids.';
comment on column feed.position is
  'The place in the feed, given to committed changes only and under the lock of feed_head, so that a reader behind a position misses nothing; null: not given yet.';
comment on column feed.before is 'What was there before, by field; null: nothing.';
comment on column feed.after is 'What is there now, by field.';

create table feed_head (
  only_one boolean primary key default true check (only_one),
  position bigint not null default 0,
  era uuid not null default gen_random_uuid()
);
comment on table feed_head is 'One row: the last position of the feed.';
comment on column feed_head.era is 'Another one after a restore: positions from before then mean other changes.';
insert into feed_head default values;

create function feed_new_pos() returns trigger language plpgsql set search_path to cartwright as $$
begin
  insert into feed (account, purchase_order_id, po_number, kind, after)
  select p.account, p.id, p.po_number, e.kind, jsonb_strip_nulls(jsonb_build_object('state', p.state, 'reasonCode', p.reason_code,
    'reason', p.reason_text, 'lineCount', p.line_count, 'quote', nullif(p.quote_only, false)))
  from added p cross join lateral (values (0, 'po.read'),
    (1, case when p.state in ('rejected', 'held', 'failed', 'cancelled') then 'po.' || p.state end)) e(rank, kind)
  where e.kind is not null
  order by p.id, e.rank;
  return null;
end $$;
create trigger feed_new_pos after insert on purchase_orders referencing new table as added
  for each statement execute function feed_new_pos();

create function feed_po() returns trigger language plpgsql set search_path to cartwright as $$
begin
  -- While its cart is being deleted, a PO that a person cancels does not go on.
  if (old.state is distinct from new.state or old.reason_code is distinct from new.reason_code) and not (new.cancelling and new.state = 'ready') then
    insert into feed (account, purchase_order_id, po_number, kind, before, after)
    values (new.account, new.id, new.po_number,
      case when new.reason_code = 'corrected' then 'po.corrected'
        when new.state in ('rejected', 'held', 'failed', 'cancelled', 'ordered', 'closed') then 'po.' || new.state
        else 'po.continued' end,
      jsonb_strip_nulls(jsonb_build_object('state', old.state, 'reasonCode', old.reason_code)),
      jsonb_strip_nulls(jsonb_build_object('state', new.state, 'reasonCode', new.reason_code, 'reason', new.reason_text,
        'quote', nullif(new.quote_only, false),
        'orderNumbers', case when new.state = 'ordered' then
          (select jsonb_agg(o.order_number order by o.id) from orders o where o.purchase_order_id = new.id) end)));
  end if;
  if old.alarm is distinct from new.alarm then
    insert into feed (account, purchase_order_id, po_number, kind, before, after)
    values (new.account, new.id, new.po_number, case when new.alarm is null then 'alarm.withdrawn' else 'alarm.raised' end,
      case when old.alarm is not null then jsonb_build_object('alarm', old.alarm) end,
      case when new.alarm is not null then jsonb_build_object('alarm', new.alarm) end);
  elsif old.alarm_settled_at is null and new.alarm_settled_at is not null then
    insert into feed (account, purchase_order_id, po_number, kind, before)
    values (new.account, new.id, new.po_number, 'alarm.settled', jsonb_build_object('alarm', new.alarm));
  end if;
  return null;
end $$;
-- Steps between two of these states are nobody's business but ours.
create trigger feed_po after update of state, reason_code, alarm, alarm_settled_at on purchase_orders for each row
  when (((old.state is distinct from new.state or old.reason_code is distinct from new.reason_code)
      and (new.state in ('rejected', 'held', 'failed', 'cancelled', 'ordered', 'closed')
        or old.state in ('rejected', 'held', 'failed', 'cancelled', 'ordered', 'closed')))
    or old.alarm is distinct from new.alarm or old.alarm_settled_at is distinct from new.alarm_settled_at)
  execute function feed_po();

create function feed_order() returns trigger language plpgsql set search_path to cartwright as $$
declare
  was jsonb := '{}';
  fields text[] := array['order_status', 'tracking_numbers', 'ship_date', 'ship_via', 'warehouse', 'order_date', 'invoice_date',
    'invoice_number', 'freight', 'misc_charges', 'order_total', 'ship_name', 'ship_address', 'ship_city', 'ship_state', 'ship_zip', 'items', 'gone_at'];
  was_there jsonb;
  is_there jsonb;
begin
  if tg_op = 'UPDATE' then was := to_jsonb(old); end if;
  select jsonb_object_agg(n.key, was -> n.key) filter (where coalesce(was -> n.key, 'null') not in ('null', '[]')),
    jsonb_object_agg(n.key, n.value)
  into was_there, is_there
  from jsonb_each(to_jsonb(new)) n
  where n.key = any(fields) and coalesce(was -> n.key, case when n.key = 'tracking_numbers' then '[]' else 'null' end::jsonb) is distinct from n.value;
  if is_there is not null then
    insert into feed (account, purchase_order_id, po_number, order_number, kind, before, after)
    values (new.account, new.purchase_order_id, new.po_number, new.order_number, 'order.changed', was_there, is_there);
  end if;
  return null;
end $$;
-- An order that has just been placed shows nothing yet: each PO would pay for finding that out.
create trigger feed_new_order after insert on orders for each row
  when (new.order_status is not null or new.order_date is not null or new.items is not null or new.order_total is not null)
  execute function feed_order();
create trigger feed_order after update on orders for each row when (old.* is distinct from new.*) execute function feed_order();
