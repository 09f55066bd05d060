-- beside: 027
-- What a person has said is not needed: an alarm, a PO that failed or was rejected, or a file that was refused. The column of POs is from
-- when only alarms could be settled; workers of those versions go on writing it.
-- Both at once and first: while a file is read, this fails before anything was built. `imports` first, as in staging.
lock table imports, purchase_orders in access exclusive mode;

comment on column purchase_orders.alarm_settled_at is
  'When a person settled what the PO needs one for: its alarm, or that it failed or was rejected; null: nobody has, or something new has happened since.';
create index purchase_orders_settled on purchase_orders (account, state, id) where alarm_settled_at is not null;
-- What Today lists: few, however many have failed and are not needed.
create index purchase_orders_unsolved on purchase_orders (account, state, id)
  where state in ('failed', 'rejected') and reason_code is distinct from 'corrected' and alarm_settled_at is null;
-- From now on the reason of a PO that failed says that a later file has it; before, each reader found that out.
update purchase_orders p set reason_code = 'corrected',
  reason_text = coalesce(p.reason_text || ' ', '') || 'Corrected in import ' || later.import_id || ' (row ' || later.first_row || ').'
from (
  select distinct on (f.id) f.id, l.import_id, l.first_row
  from purchase_orders f join purchase_orders l on l.account = f.account and l.po_key = f.po_key and l.po_number = f.po_number
    and l.quote_only = f.quote_only and l.id > f.id and l.state <> 'rejected'
  where f.state = 'failed' and f.reason_code is distinct from 'corrected'
  order by f.id, l.id) later
where p.id = later.id;
alter table imports add column settled_at timestamptz;
comment on column imports.settled_at is 'When a person said that the file, which was refused, is not needed; null: nobody has.';

-- Who takes care of what needs a person.
create table assigned (
  kind text not null check (kind in ('import', 'po')),
  id bigint not null,
  account text not null,
  person text not null,
  at timestamptz not null default clock_timestamp(),
  primary key (kind, id)
);
create index assigned_by_person on assigned (person, kind, id);
comment on table assigned is 'Who takes care of a refused file or of a PO; without a row nobody in particular does.';
comment on column assigned.person is 'The name of a user of the console.';

create index operator_actions_by_run on operator_actions ((detail ->> 'bulkRun'), id) where detail ? 'bulkRun';
alter table bulk_runs add column assignee text;
comment on column bulk_runs.assignee is 'Action assign: who takes care of the POs from then on; null: nobody.';

-- A new attempt that ends without an order is new, and so is another alarm.
create or replace function keep_up_purchase_order() returns trigger language plpgsql as $$
begin
  if new.alarm is distinct from old.alarm
    or (new.state is distinct from old.state and (old.state in ('failed', 'rejected') or new.state in ('failed', 'rejected')))
  then new.alarm_settled_at := null; end if;
  if new.changed_at is distinct from old.changed_at then new.stalled_since := null; end if;
  return new;
end $$;

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
    values (new.account, new.id, new.po_number, case when new.alarm is null then 'po.settled' else 'alarm.settled' end,
      case when new.alarm is null then jsonb_strip_nulls(jsonb_build_object('state', new.state, 'reasonCode', new.reason_code))
        else jsonb_build_object('alarm', new.alarm) end);
  elsif old.alarm_settled_at is not null and new.alarm_settled_at is null and (new.alarm is not null or old.state = new.state) then
    insert into feed (account, purchase_order_id, po_number, kind, after)
    values (new.account, new.id, new.po_number, case when new.alarm is null then 'po.unsettled' else 'alarm.raised' end,
      case when new.alarm is null then jsonb_strip_nulls(jsonb_build_object('state', new.state, 'reasonCode', new.reason_code))
        else jsonb_build_object('alarm', new.alarm) end);
  end if;
  return null;
end $$;
