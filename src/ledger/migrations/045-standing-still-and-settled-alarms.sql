-- beside: 027
-- What does not move is noticed, PO by PO.
alter table purchase_orders add column stalled_since timestamptz;
comment on column purchase_orders.stalled_since is 'When the sweep first gave the PO a new run because nothing had happened by the time at which something must; null: it has changed since, or never stood still.';
create index purchase_orders_stalled on purchase_orders (account, stalled_since) where stalled_since is not null;

-- A person settles an alarm for what is known at that moment.
alter table purchase_orders add column alarm_settled_at timestamptz;
comment on column purchase_orders.alarm_settled_at is 'When a person settled the alarm as it is; null: it is open, or there is none.';
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
