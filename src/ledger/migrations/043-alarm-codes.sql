-- beside: 027
-- A comparison of quantities withdraws only the alarms that it disproves.
alter table purchase_orders add column alarm_code text;
comment on column purchase_orders.alarm_code is 'late_wish: a person asked for something else before the PO was ordered, which no comparison disproves; null: any other alarm, or none.';
