-- beside: 027
-- Spellings with any sign around or between the parts of a number, as (4711) and PO:4711; and numbers without what is written beside them, as 4711 of
-- 4711 rush. The expressions are those of src/ledger/po-spelling.ts.
drop index purchase_orders_spelling;
create index purchase_orders_spelling on purchase_orders (account, (
  regexp_replace(replace(replace(translate(
  case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
  ' _./#:;,"*()?!~&+=<>|@{}$%^[]\''', '-------------------------------'), '--', '-'), '--', '-'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g')))
  where po_key ~ '^[-0pno]|[][ _./#:;,"*()?!~&+=<>|@{}$%^\\'']|--|-$';
create index purchase_orders_beside on purchase_orders (account, (
  regexp_replace(substring(
  regexp_replace(po_key, '^[][ _./#:;,"*()?!~&+=<>|@{}$%^\\'']*(?:[^][ _./#:;,"*()?!~&+=<>|@{}$%^\\''0-9]+[][ _./#:;,"*()?!~&+=<>|@{}$%^\\'']+)*(?=.*[0-9])', ''),
  '^(?:[^][ _./#:;,"*()?!~&+=<>|@{}$%^\\''0-9]*-)?[^][ _./#:;,"*()?!~&+=<>|@{}$%^\\''-]*[0-9][^][ _./#:;,"*()?!~&+=<>|@{}$%^\\''-]*'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g')))
  where po_key ~ '[0-9].*[][ _./#:;,"*()?!~&+=<>|@{}$%^\\''-].|[^][ _./#:;,"*()?!~&+=<>|@{}$%^\\''0-9][][ _./#:;,"*()?!~&+=<>|@{}$%^\\''].*[0-9]';

-- Of one number that a person leaves out, nothing follows for those that look like it.
update layout_values set answer = 'ask'
where answer = 'leave_out' and column_key in (' PO numbers', ' items')
  and value_key in ('one number or code', 'several numbers', 'words with a number', 'only words');

-- What is wrong with one PO of a file of which many have something wrong; not only what is asked about it.
drop index row_issues_questions;
create index row_issues_of_po on row_issues (import_id, po_number);
