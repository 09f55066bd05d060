-- beside: 027
-- Numbers that differ only in characters that look the same have one key, as those that differ only in case: dashes, and letters of other
-- alphabets. So have those with more blanks between two words. The signs are those of src/ledger/po-key.ts.
create function fold_po_key(key text) returns text language sql immutable strict parallel safe as $$
  select regexp_replace(translate(key,
    U&'\2010\2011\2012\2013\2014\2015\2212\0430\0432\0441\0435\043d\0456\0458\043a\043c\043e\0440\0455\0442\0443\0445\03b1\03b2\03b5\03b6\03b7\03b9\03ba\03bc\03bd\03bf\03c1\03c4\03c5\03c7',
    '-------abcehijkmopstyxabezhikmnoptyx'), ' {2,}', ' ', 'g') $$;

-- Whether a key may be another one now: most are ASCII with single blanks.
create function may_fold_po_key(key text) returns boolean language sql immutable strict parallel safe as $$
  select octet_length(key) <> length(key) or key like '%  %' $$;

update lines set po_key = fold_po_key(coalesce(po_key, lower(po_number collate "C")))
where may_fold_po_key(po_number) and po_key is distinct from fold_po_key(coalesce(po_key, lower(po_number collate "C")));
update purchase_orders set po_key = fold_po_key(po_key) where may_fold_po_key(po_key) and po_key <> fold_po_key(po_key);
update po_number_blocks set keys = fold_po_key(keys) where may_fold_po_key(keys) and keys <> fold_po_key(keys);

-- A worker of an earlier version writes the key as it was before.
create function fold_key_of_po() returns trigger language plpgsql set search_path to cartwright as $$
begin
  new.po_key := fold_po_key(new.po_key);
  return new;
end $$;
create trigger fold_key_of_po before insert on purchase_orders for each row
  when (may_fold_po_key(new.po_key)) execute function fold_key_of_po();

alter table row_issues add column po_key text;
comment on column row_issues.po_key is 'As in lines: only set if lower(po_number) is not enough.';
comment on column lines.po_key is 'The key of the PO number; only set if lower(po_number) is not enough.';
comment on column purchase_orders.po_key is
  'The PO number without case and with plain signs for those that look like them, to find numbers that nobody tells apart.';
