-- A sandbox's orders are recognised by their numbers. The expression of a generated column cannot be changed.
alter table dealer_service.orders drop column order_number;
alter table dealer_service.orders add column number_prefix text not null default '';
alter table dealer_service.orders add column order_number text not null generated always as (number_prefix || (20000000 + order_id)::text) stored;
create unique index orders_by_number on dealer_service.orders (order_number);
comment on column dealer_service.orders.number_prefix is 'The setting orderPrefix when the order was made.';
