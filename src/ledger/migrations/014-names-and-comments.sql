-- Names that say what they hold, two columns that nothing reads or writes, and comments that describe the schema as it is
-- now. src/ledger/schema.sql shows the result.
alter table purchase_orders rename column looks to lookups;
alter table file_troubles rename to file_problems;
alter index file_troubles_pkey rename to file_problems_pkey;
alter table account_states drop column paused_by;
alter table orders drop column first_seen_at;

comment on table account_states is
  'What applies to a whole account: its pause (rule 13), its last status check, its last report.';
comment on column account_states.paused_until is 'Nothing is sent for the account before this moment; null: no pause.';
comment on column account_states.pauses is 'Pauses in a row without a successful call between them; each doubles the next one.';
comment on column account_states.polled_at is 'When the last status check succeeded.';
comment on column account_states.poll_note is 'Why the last status check failed or was skipped; null: it succeeded.';
comment on column account_states.report_path is 'The last status report, relative to the account''s folder.';
comment on column account_states.paused_since is
  'When the pauses began that no successful call has ended; null: calls succeed.';
comment on column account_states.read_lag_ms is
  'The longest time after which something that the service had confirmed could still not be read; null: never observed.';
comment on column account_states.items_unreadable_since is
  'Since when the service shows orders without readable items, so that quantities cannot be compared; null: it shows them.';

comment on table call_limits is 'Calls per second of each account over all processes, counted by rate-limiter-flexible.';

comment on table file_problems is
  'Files that cannot be picked up or archived at the moment. `status` shows them; a row is deleted when its problem is gone.';
comment on column file_problems.place is 'Which check found it: the inbox, the claims in working/, or the watched files.';

comment on table folder_positions is
  'How many files were put into an account''s done/. The folder has the same counter: a folder that is ahead contains files that a restored or new ledger does not know.';
comment on column folder_positions.restore_due is 'The folder was ahead, and its files were not all imported again yet.';

comment on table imports is 'One row for each purchase file that was picked up.';
comment on column imports.file_name is 'The dealer''s name of the file; shown, never used as a path.';
comment on column imports.file_path is 'The private copy, relative to the account''s folder; identifies the import.';
comment on column imports.state is
  'taken: picked up, not read yet. read: its rows and POs are in the ledger. refused: the file cannot be used. repeated: the same bytes were imported before.';
comment on column imports.detection is 'What was decided about encoding, delimiter, sheet, header row and columns, and why.';
comment on column imports.read_at is 'When the file was read or refused.';
comment on column imports.result_due is 'Something that the result file shows has changed since it was written.';
comment on column imports.result_written_at is 'Null: never written, or being written. Then the result file is due too.';
comment on column imports.quote_only is 'The file asks for prices only; its POs are never ordered.';
comment on column imports.restored is 'Imported again from done/, into a ledger that was older than the folder.';
comment on column imports.repeats_import_id is 'For state `repeated`: the import of the same bytes.';
comment on column imports.file_grew is 'The file continued to change after it was picked up: what happened, as a sentence.';

comment on table intents is
  'Rule 1: committed before a step that changes something at the service; the outcome follows after the step. Without an outcome, the outcome is unknown.';
comment on column intents.detail is 'What the service answered, or why it could not be reached.';

comment on table ledger_identity is 'One row: separates the queue of this ledger from those of others on the same Redis.';

comment on table lines is
  'Every row of a purchase file that names an item. A trigger deletes the rows of a deleted import, because a foreign key would slow down staging.';
comment on column lines.row_number is 'The number that the spreadsheet shows.';
comment on column lines.options is
  'The cart options of the row as canonical JSON text, written as a jsonb is; {} also if the row repeats those of the row above it.';
comment on column lines.answered_epoch is 'The cart_epoch of the cart for which the service answered this line.';
comment on column lines.sku is 'With dealer_price and the columns between them: what the service answered (spec 2.3).';
comment on column lines.refusal is 'Why the service refused the line.';
comment on column lines.po_key is 'The PO number without case; only set if lower(po_number) is not enough.';
comment on column lines.hash_0 is
  'With hash_1: what the line asks for, hashed while the file is read. Equal lines have equal hashes, whatever the scale of their prices.';

comment on table migrations is 'The migrations that were applied. An applied migration never changes.';
comment on table operator_actions is 'Who decided what about a PO, and when.';

comment on table orders is 'The orders of each PO, as the service last showed them (spec 2.6 and 2.7): dates verbatim, money as decimals.';
comment on column orders.items is 'The items as the service showed them; their shape is not fixed.';

comment on table purchase_orders is
  'Every PO of every file. At most one order and one quote of a PO number are live (index one_live_po).';
comment on column purchase_orders.po_key is 'The PO number without case, to find numbers that differ only in case.';
comment on column purchase_orders.options is 'The cart options by their names in the interface (spec 2.1).';
comment on column purchase_orders.content_hash is 'sha-256 of the normalised options and lines (rule 9).';
comment on column purchase_orders.state is 'See docs/rules.md#states.';
comment on column purchase_orders.epoch is 'The attempt. Every change of state is conditional on it.';
comment on column purchase_orders.cart_epoch is 'The epoch whose create intent made the present cart; null: no cart.';
comment on column purchase_orders.rebuilds is 'Carts that were rebuilt (rule 3), since a person last acted.';
comment on column purchase_orders.baseline is
  'Order numbers that existed under the PO number before our first change (rule 2); null: not looked up yet.';
comment on column purchase_orders.lookups is 'Lookups in the present state that decided nothing yet (rules 3 and 7).';
comment on column purchase_orders.failures is 'Calls in a row that did not succeed, since failing_since.';
comment on column purchase_orders.cancelling is 'A person cancelled the PO; its cart, if there is one, is still to be deleted.';
comment on column purchase_orders.approvals is 'What a person has released, with the numbers that were shown (rule 5).';
comment on column purchase_orders.alarm is 'What differs between the file and the order; null: nothing known.';
comment on column purchase_orders.quantities_checked is 'The order''s quantities were compared with the file (rule 8).';
comment on column purchase_orders.next_at is 'Not due before this moment (settle time, backoff), by the database''s clock.';
comment on column purchase_orders.run is
  'Counts job runs and operator actions. Part of the job''s key, so that the key of a finished job is never used again.';
comment on column purchase_orders.lease_owner is 'The lease on the PO (rule 10), random for each lease; null: none.';
comment on column purchase_orders.looked_up_at is 'When its order was last looked up by PO number, because no date range showed it.';
comment on column purchase_orders.quote_only is 'Asks for prices only; never counts as the PO (docs/decisions/014).';

comment on table queue_holds is 'Queues that somebody paused or limited outside Cartwright, as the sweep found them.';
comment on column queue_holds.lifted_at is 'When the sweep resumed the queue; null: it is still held.';

comment on table repeated_purchase_orders is
  'Rule 9: POs that came again with the same content. Their rows show the outcome of the first one.';

comment on table row_issues is 'What is wrong with a row. An issue rejects its PO; a note only informs.';
comment on column row_issues.po_number is 'The PO that the issue rejects; null: the row belongs to none.';

comment on table served_accounts is
  'When a worker last had the account in its configuration. The schedules of an account end a day after that.';
comment on table status_changes is 'Every change of an order that a status check has seen.';

comment on table watched_files is
  'Purchase files that are compared with their copy for a day, because their writer may continue. The row is deleted at the end of that time.';
comment on column watched_files.path is 'Relative to the account''s folder; null: not archived yet.';
comment on column watched_files.size_bytes is 'With inode, mtime_ms and tail_sha256: the file as it was when it was copied.';

comment on table workers is 'Worker processes that are alive. They share the calls in flight of each account among them.';
comment on column workers.places is 'Accounts whose POs the worker can place.';
comment on column workers.reads is 'Accounts whose files the worker can read.';
comment on column workers.troubles is 'Why the worker cannot serve the other accounts: account name to sentence.';
