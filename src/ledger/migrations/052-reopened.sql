-- beside: 027
-- A PO whose order goes back after it was closed goes on: a program that books "ordered" must not book it twice.
create or replace function feed_po() returns trigger language plpgsql set search_path to cartwright as $$
begin
  -- While its cart is being deleted, a PO that a person cancels does not go on.
  if (old.state is distinct from new.state or old.reason_code is distinct from new.reason_code) and not (new.cancelling and new.state = 'ready') then
    insert into feed (account, purchase_order_id, po_number, kind, before, after)
    values (new.account, new.id, new.po_number,
      case when new.reason_code = 'corrected' then 'po.corrected'
        when old.state = 'closed' and new.state = 'ordered' then 'po.continued'
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
