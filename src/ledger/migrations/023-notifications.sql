-- Who is told what (docs/decisions/038). Triggers record events in the transaction of what happened, whichever program writes it.

create table notification_kinds (
  kind text primary key,
  wanted_at timestamptz not null default clock_timestamp()
);
comment on table notification_kinds is
  'Kinds of events that a running process has a route for. Events of other kinds are not recorded. A row is deleted a day after the last such process.';

create table notification_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  account text,
  subject text not null,
  detail text,
  purchase_order_id bigint,
  import_id bigint
);
comment on table notification_events is
  'What has happened and is in no message yet. A row is deleted when it has become part of the messages of its routes.';
comment on column notification_events.account is 'Null: it concerns all accounts.';
comment on column notification_events.subject is 'What it is about: a PO number, a file name, the path of a report, a host.';
comment on column notification_events.detail is 'Why, as a sentence or a code; null: nothing more is known.';

create table notifications (
  id uuid primary key default gen_random_uuid(),
  route text not null,
  sections jsonb not null,
  kinds text[] not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null,
  sealed_at timestamptz,
  attempts integer not null default 0,
  next_at timestamptz not null default clock_timestamp(),
  last_error text,
  lease_until timestamptz,
  delivered_at timestamptz,
  given_up_at timestamptz
);
comment on table notifications is
  'Messages to people, one row for each route. Delivered at least once; the id lets a receiver recognise a repetition. Deleted after 30 days.';
comment on column notifications.sections is
  'What it says, by kind and account: how many events, the first ten of them, and the first and the last time.';
comment on column notifications.due_at is 'Until then further events of the same kind are added to it.';
comment on column notifications.sealed_at is 'When its first delivery began: its content does not change any more.';
comment on column notifications.lease_until is 'A process is delivering it; after this moment another one may.';
comment on column notifications.given_up_at is 'When it was given up: `status` shows it.';
create index notifications_open on notifications (route, created_at) where delivered_at is null and given_up_at is null;
create index notifications_by_route on notifications (route, created_at);

create table notification_alarms (
  kind text not null,
  key text not null,
  account text,
  since timestamptz not null default clock_timestamp(),
  told_at timestamptz not null default clock_timestamp(),
  primary key (kind, key)
);
comment on table notification_alarms is
  'Conditions that a process found by looking, so that each is told once a day and not with each look: no file by a certain time, statuses not fetched, no worker, a full disk.';
comment on column notification_alarms.key is 'Which one: an account, an account and a time, or a host and a folder.';

create function record_notification(kind text, account text, subject text, detail text, purchase_order_id bigint, import_id bigint)
returns void language sql set search_path = cartwright as $$
  insert into notification_events (kind, account, subject, detail, purchase_order_id, import_id)
  select $1, $2, $3, $4, $5, $6 where exists (select from notification_kinds k where k.kind = $1)
$$;

create function notify_of_purchase_order() returns trigger language plpgsql set search_path = cartwright as $$
declare
  entered boolean := tg_op = 'INSERT';
begin
  if not entered then entered := old.state is distinct from new.state or old.reason_code is distinct from new.reason_code; end if;
  if entered and new.state in ('held', 'failed', 'rejected') and new.reason_code is distinct from 'corrected' then
    perform record_notification(
      case when new.state = 'held' and new.reason_code in ('duplicate_suspected', 'cannot_verify', 'submission_unknown')
        then 'order_in_doubt' else 'po_' || new.state end,
      new.account, new.po_number, case when new.state = 'held' then new.reason_code else new.reason_text end, new.id, new.import_id);
  end if;
  if new.alarm is not null and (tg_op = 'INSERT' or old.alarm is distinct from new.alarm) then
    perform record_notification('order_alarm', new.account, new.po_number, new.alarm, new.id, new.import_id);
  end if;
  return null;
end $$;
create trigger notify_of_new_po after insert on purchase_orders for each row
  when (new.state in ('held', 'failed', 'rejected')) execute function notify_of_purchase_order();
create trigger notify_of_po after update of state, alarm on purchase_orders for each row
  when ((new.state in ('held', 'failed', 'rejected')
      and (old.state is distinct from new.state or old.reason_code is distinct from new.reason_code))
    or (new.alarm is not null and old.alarm is distinct from new.alarm))
  execute function notify_of_purchase_order();

create function notify_of_import() returns trigger language plpgsql set search_path = cartwright as $$
begin
  perform record_notification('file_refused', new.account, new.file_name, new.reason_text, null, new.id);
  return null;
end $$;
create trigger notify_of_refused_file after update of state on imports for each row
  when (new.state = 'refused' and old.state is distinct from new.state) execute function notify_of_import();

create function notify_of_file_problem() returns trigger language plpgsql set search_path = cartwright as $$
begin
  perform record_notification('file_stuck', new.account, new.file_name, new.message, null, null);
  return null;
end $$;
create trigger notify_of_file_problem after insert on file_problems for each row execute function notify_of_file_problem();

create function notify_of_account() returns trigger language plpgsql set search_path = cartwright as $$
declare
  was text;
begin
  if tg_op = 'UPDATE' then was := old.pause_code; end if;
  if new.pause_code is not null and (was is null or (new.pause_code = 'operator') is distinct from (was = 'operator')) then
    perform record_notification('account_paused', new.account, new.account, new.pause_reason, null, null);
  elsif new.pause_code is null and was is not null then
    perform record_notification('account_resumed', new.account, new.account, null, null, null);
  end if;
  if new.report_path is not null and (tg_op = 'INSERT' or old.report_written_at is distinct from new.report_written_at) then
    perform record_notification('report_written', new.account, new.report_path, null, null, null);
  end if;
  return null;
end $$;
create trigger notify_of_new_account after insert on account_states for each row
  when (new.pause_code is not null or new.report_path is not null) execute function notify_of_account();
create trigger notify_of_account after update on account_states for each row
  when (old.pause_code is distinct from new.pause_code or old.report_written_at is distinct from new.report_written_at)
  execute function notify_of_account();

-- Once for each statement: a poll writes many changes in one.
create function notify_of_status_changes() returns trigger language plpgsql set search_path = cartwright as $$
begin
  if exists (select from notification_kinds k where k.kind = 'order_changed') then
    insert into notification_events (kind, account, subject, detail, purchase_order_id)
    select 'order_changed', o.account, o.po_number, string_agg(
        case when c.field = 'tracking_numbers' then 'tracking ' || c.became else c.became end, ', ' order by c.field), o.purchase_order_id
    from changes c join orders o on o.id = c.order_id
    -- The first status that a poll sees is no news.
    where c.field = 'tracking_numbers' or (c.field = 'order_status' and c.was is not null)
    group by o.id;
  end if;
  return null;
end $$;
create trigger notify_of_status_changes after insert on status_changes referencing new table as changes
  for each statement execute function notify_of_status_changes();
