-- beside: 027
-- Numbers with signs between their digits, as 4501005 of 4.501.005 and PO 450 1005, and two more signs. The expressions are those of
-- src/ledger/po-spelling.ts.
drop index purchase_orders_spelling;
create index purchase_orders_spelling on purchase_orders (account, (
  regexp_replace(replace(replace(translate(
  case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
  ' _./#:;,"*()?!~&+=<>|@{}$%^’·[]\''', '---------------------------------'), '--', '-'), '--', '-'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g')))
  where po_key ~ '^[-0pno]|[][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\'']|--|-$';
drop index purchase_orders_beside;
create index purchase_orders_beside on purchase_orders (account, (
  regexp_replace(substring(
  regexp_replace(po_key, '^[][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\'']*(?:[^][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''0-9]+[][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\'']+)*(?=.*[0-9])', ''),
  '^(?:[^][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''0-9]*-)?[^][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''-]*[0-9][^][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''-]*'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g')))
  where po_key ~ '[0-9].*[][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''-].|[^][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''0-9][][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''].*[0-9]';
create index purchase_orders_ungrouped on purchase_orders (account, (
  case when regexp_replace(replace(replace(translate(
  case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
  ' _./#:;,"*()?!~&+=<>|@{}$%^’·[]\''', '---------------------------------'), '--', '-'), '--', '-'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g') ~ '^[0-9-]+$' then replace(regexp_replace(replace(replace(translate(
  case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
  ' _./#:;,"*()?!~&+=<>|@{}$%^’·[]\''', '---------------------------------'), '--', '-'), '--', '-'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g'), '-', '') end))
  where po_key ~ '[0-9][][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\''-]+[0-9]';
