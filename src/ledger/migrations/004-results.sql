-- A result file is due when something changed since its ledger view was taken, and when none was written after
-- that: the mark is taken off before the view, so that no change is missed, and a killed writer leaves it due.
drop index imports_due;
create index imports_due on imports (id)
  where state in ('read', 'refused') and (result_due or result_written_at is null);
