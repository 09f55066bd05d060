-- beside: 027
-- The search by ship-to name and ZIP found only what was ordered. Somebody who asks for a PO mostly asks for one that was not.
create index purchase_orders_by_ship_name on purchase_orders (lower(options ->> 'ship_name') text_pattern_ops)
  where state = any (array['rejected', 'held', 'failed', 'cancelled']) and options ->> 'ship_name' is not null;
create index purchase_orders_by_zip on purchase_orders (lower(options ->> 'ship_zip') text_pattern_ops)
  where state = any (array['rejected', 'held', 'failed', 'cancelled']) and options ->> 'ship_zip' is not null;
