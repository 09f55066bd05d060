-- Dates follow the clock too: its reading 0 is the moment `epoch`. A clock that runs at the speed of real time and was never
-- moved shows the real time. Dates of existing orders stay as they are.
alter table dealer_service.clock add column epoch timestamptz;
update dealer_service.clock set epoch = clock_timestamp() - dealer_service.clock_ms() * interval '1 millisecond';
alter table dealer_service.clock alter column epoch set not null;

create function dealer_service.clock_now() returns timestamptz language sql volatile as $$
  select least(epoch + dealer_service.clock_ms() * interval '1 millisecond', '9999-12-31 00:00Z')
  from dealer_service.clock
$$;
alter table dealer_service.submissions
  alter column order_date set default (dealer_service.clock_now() at time zone 'utc')::date;

comment on table dealer_service.clock is
  'The clock of order statuses and dates, one row for all processes: base_ms at base_at, plus the time since then multiplied by speed, counted from epoch.';
comment on table dealer_service.submissions is 'Every POST /orders that took effect. Days are UTC days of the clock.';
