-- beside: 027
-- Days whose orders the service does not answer are kept, so that a poll does not have to find them each time.
create table unread_days (
  account text not null,
  day integer not null,
  tries integer not null default 1 check (tries > 0),
  since timestamptz not null,
  tried_at timestamptz not null,
  why text not null,
  primary key (account, day)
);
comment on table unread_days is 'Days that the service of an account does not answer, while it answers others. Polls leave them out until they are tried again.';
comment on column unread_days.day is 'The day of UTC, since 1970.';
comment on column unread_days.tries is 'How often it could not be read in a row.';
comment on column unread_days.why is 'What the service answered the last time.';
