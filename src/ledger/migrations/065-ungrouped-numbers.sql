-- beside: 027
-- Numbers with signs between their digits, as 4501005 of 4.501.005. The expressions are those of src/ledger/po-spelling.ts.
create index purchase_orders_ungrouped on purchase_orders (account, (ltrim(translate(po_key, '- _./#:;,"*()?!~&+=<>|@{}$%^[]\''', ''), '0')))
  where po_key ~ '^[][ _./#:;,"*()?!~&+=<>|@{}$%^\\''0-9-]*[0-9][][ _./#:;,"*()?!~&+=<>|@{}$%^\\''-]+[0-9][][ _./#:;,"*()?!~&+=<>|@{}$%^\\''0-9-]*$';
