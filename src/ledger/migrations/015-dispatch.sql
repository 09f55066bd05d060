-- What the queue holds of a PO, and the order in which the POs of an account get their jobs.
alter table purchase_orders
  add column dispatch text not null default 'backlog'
    constraint purchase_orders_dispatch_check check (dispatch in ('backlog', 'window', 'waiting')),
  add column turn bigint not null default 0;

comment on column purchase_orders.dispatch is 'What the queue holds of a PO with a next step. backlog: nothing; it gets a job when there is room in its account''s window. window: a job that may run now. waiting: a delayed job, which does not count in the window.';
comment on column purchase_orders.turn is 'The order in which the POs of an account leave the backlog. Files that are placed at the same time take turns.';

create index purchase_orders_backlog on purchase_orders (account, turn, id)
  where state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying') and dispatch = 'backlog';
create index purchase_orders_dispatched on purchase_orders (account, dispatch, id)
  where state in ('ready', 'cart_created', 'items_added', 'submitting', 'verifying') and dispatch <> 'backlog';

alter table workers add column slots integer not null default 0;
comment on column workers.slots is 'How many POs the worker can place at the same time.';

-- The share of each account's calls that each process may make at the same time.
create table call_shares (
  account text not null,
  shares jsonb not null default '{}'::jsonb,
  version bigint not null default 0,
  -- When the next call may start, where the account limits its calls per second.
  next_call_at timestamptz,
  constraint call_shares_pkey primary key (account)
);
comment on table call_shares is 'How the workers share the limits of an account: its calls in flight, and its calls per second.';
comment on column call_shares.shares is 'Worker ID to its calls in flight, how many it wants, since when, and until when the share counts.';
comment on column call_shares.version is 'Increases with each change; a change applies only to the version on which it was decided.';
comment on column call_shares.next_call_at is 'When the next call may start, where calls per second are limited.';

drop table call_limits;
