-- beside: 027
-- Webhooks to which the feed is sent, and how far each has come.
create table sync_receivers (
  account text not null,
  name text not null,
  position bigint not null,
  tries integer not null default 0,
  failing_since timestamptz,
  next_at timestamptz not null default clock_timestamp(),
  last_error text,
  parked_at timestamptz,
  sent_at timestamptz,
  wanted_at timestamptz not null default clock_timestamp(),
  primary key (account, name)
);
comment on table sync_receivers is 'Webhooks of the configuration that are sent the feed of their account.';
comment on column sync_receivers.position is 'Everything of its account up to here was confirmed by the receiver. A restored ledger has the feed of that moment, too, so it stays right.';
comment on column sync_receivers.tries is 'Requests in a row that failed, since failing_since.';
comment on column sync_receivers.parked_at is 'When it was given up; nothing is sent until a person resumes it. Null: it was not.';
comment on column sync_receivers.wanted_at is 'When a process last had it in its configuration: one that was removed there is no problem any more.';
comment on column sync_receivers.sent_at is 'When the receiver last confirmed something; null: never.';
