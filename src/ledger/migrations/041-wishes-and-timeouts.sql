-- beside: 027
-- What a person wants of a PO is recorded at any moment, and carried out by the worker that has it at its next step.
alter table purchase_orders add column holding boolean not null default false;
comment on column purchase_orders.holding is 'A person wants the PO held; it is held at its next step, unless it was submitted before.';

-- A call that was sent with a longer timeout than is configured now can take effect for longer, too.
alter table intents add column timeout_ms integer;
comment on column intents.timeout_ms is 'The request timeout with which the calls of the step were sent; null: an earlier version sent them.';
