-- beside: 027
-- Each PO that makes no progress is noticed.
alter table purchase_orders add column stalled_since timestamptz;
comment on column purchase_orders.stalled_since is 'When the sweep first queued the PO again because it was overdue; null: it has changed since, or was never overdue.';
create index purchase_orders_stalled on purchase_orders (account, stalled_since) where stalled_since is not null;

-- A person settles the alarm that the PO has at that moment.
alter table purchase_orders add column alarm_settled_at timestamptz;
comment on column purchase_orders.alarm_settled_at is 'When a person settled the present alarm; null: nobody has, or there is no alarm.';
create index purchase_orders_open_alarms on purchase_orders (account, id) where alarm is not null and alarm_settled_at is null;
drop index purchase_orders_alarms;

-- In the database, so that it holds for workers of earlier versions too.
create function keep_up_purchase_order() returns trigger language plpgsql as $$
begin
  if new.alarm is distinct from old.alarm then new.alarm_settled_at := null; end if;
  if new.changed_at is distinct from old.changed_at then new.stalled_since := null; end if;
  return new;
end $$;
create trigger keep_up_po before update on purchase_orders for each row
  when (old.stalled_since is not null or old.alarm_settled_at is not null)
  execute function keep_up_purchase_order();
