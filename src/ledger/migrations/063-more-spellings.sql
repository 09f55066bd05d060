-- beside: 027
-- The same as 062, also of numbers with words before them and signs behind them: Order 4711, PO No. 4711, 4711-. The expressions are those
-- of src/ledger/similar-po-numbers.ts.
drop index purchase_orders_spelling;
create index purchase_orders_spelling on purchase_orders (account, (
  regexp_replace(replace(translate(
    case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
    ' _./#', '-----'), '--', '-'), '^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$', '', 'g')))
  where po_key ~ '^[-0pno]|[ _./#]|--|-$';
