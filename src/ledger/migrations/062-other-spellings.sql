-- beside: 027
-- PO numbers by the spelling that they share with others: PO-4711, #4711, 04711, 4711.0. Those are not in it of which it is the key itself. The
-- expressions are those of src/ledger/similar-po-numbers.ts.
create index purchase_orders_spelling on purchase_orders (account, (
  regexp_replace(replace(translate(
    case when po_key like '%.0' or po_key like '%.00' then regexp_replace(po_key, '\.00?$', '') else po_key end,
    ' _./#', '-----'), '--', '-'), '^-?(?:p-?o(?![a-z])-*)?0*(?=.)', '')))
  where po_key ~ '^[-0p]|[ _./#]|--';
