-- A clock that is set to a moment shows that moment, also thousands of years away. A reading in whole milliseconds is exact as
-- double precision; the same number of microseconds, by which an interval of one millisecond is multiplied, is not.
update dealer_service.clock set epoch = date_trunc('milliseconds', epoch);

create function dealer_service.clock_reading(moment timestamptz) returns double precision language sql volatile as $$
  select round(((extract(epoch from moment) - extract(epoch from epoch)) * 1000)::numeric)::double precision
  from dealer_service.clock
$$;

-- A clock that runs fast passes the last moment that Postgres has.
create or replace function dealer_service.clock_now() returns timestamptz language sql volatile as $$
  select least(epoch + days * interval '24 hours' + (ms - days * 86400000) * interval '1 millisecond', '9999-12-31 00:00Z')
  from dealer_service.clock,
    lateral (select least(dealer_service.clock_ms(), 3e14) as ms) as reading,
    lateral (select floor(ms / 86400000) as days) as whole
$$;
