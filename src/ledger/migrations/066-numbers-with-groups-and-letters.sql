-- beside: 027
-- Signs between the digits of a number with letters, too: NYC-4501005 of NYC-4.501.005. The expressions are those of src/ledger/po-spelling.ts.
drop index purchase_orders_ungrouped;
create index purchase_orders_ungrouped on purchase_orders (account, (
  regexp_replace(regexp_replace(replace(replace(translate(
  case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
  ' _./#:;,"*()?!~&+=<>|@{}$%^’·[]\''', '---------------------------------'), '--', '-'), '--', '-'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g'), '(?<=[0-9])-(?=[0-9])', '', 'g')))
  where po_key ~ '[0-9][][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''-]+[0-9]';
