-- beside: 027
-- Orders are counted by their status for each account, which read every order of the ledger.
create index orders_by_status on orders (account, order_status);
