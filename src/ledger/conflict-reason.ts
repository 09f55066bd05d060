import { stateWords } from '../placing/state-words.ts';
import { keyDifference } from './po-key.ts';
import { isConflicting, isLive, isUnsubmitted, namedPo } from './purchase-order-sql.ts';

/** SQL: the file and the row of a PO. */
export const fileAndRow = (po: string, file: string): string =>
  `'import ' || ${file}.id || ' (' || ${file}.file_name || ', row ' || ${po}.first_row || ')'`;

/** SQL: the state of a PO within a sentence. */
export const shownState = (po: string): string =>
  `case ${po}.state ${Object.entries(stateWords)
    .map(([state, words]) => `when '${state}' then '${state === 'closed' ? 'complete' : words}'`)
    .join(' ')} end`;

/** SQL: two POs say the same in their files, whatever an account's configuration adds to it. An earlier version knew only both together. */
export const sameContent = (po: string, other: string): string =>
  `(coalesce(${po}.file_hash = ${other}.file_hash, ${po}.content_hash = ${other}.content_hash))`;

/** SQL: two POs of one number write it with the same characters. An earlier version did not note how a number was written. */
export const sameCharacters = (po: string, other: string): string =>
  `(${po}.file_hash is null or coalesce(${po}.po_written, ${po}.po_number) = coalesce(${other}.po_written, ${other}.po_number))`;

/**
 * SQL: why a PO conflicts with the one to which its number belongs.
 * @param live the live PO, and `file` its import
 * @param own the one that conflicts, which may still be staged
 */
export const conflictReason = (live: string, file: string, own: string): string => `case
  when ${live}.po_number = ${own}.po_number and ${sameContent(live, own)} and ${sameCharacters(live, own)}
  then ${namedPo(live)} || ' was already imported with the same content in ' || ${fileAndRow(live, file)} || ' and is ' || ${shownState(live)} || '. Cancel this one.'
    || case when ${isUnsubmitted(live)} then ' If nothing is to be ordered any more, cancel the other one, too; if this one is right, cancel the other one and release this one.' else '' end
  when ${live}.po_number = ${own}.po_number and ${sameContent(live, own)}
  then ${namedPo(live)} || ' was already imported with the same content in ' || ${fileAndRow(live, file)} || ', but there its number is written with other characters, which look the same or cannot be seen. Cancel this one. If it is another order, send it again under a PO number of its own.'
  when ${live}.po_number = ${own}.po_number
  then ${namedPo(live)} || ' was already imported with other content in ' || ${fileAndRow(live, file)} || ' and is ' || ${shownState(live)} || '. Send the new order under its own PO number, and cancel this one.'
    || case when ${live}.state in ('ready', 'cart_created', 'items_added') then ' Or cancel the first one before it is submitted, then release this one.' else '' end
  else ${namedPo(live)} || ' in ' || ${fileAndRow(live, file)} || ' differs from this one ${keyDifference}. Send the new order under its own PO number, and cancel this one.' end`;

const sameNumber = (other: string, po: string): string =>
  `${other}.account = ${po}.account and ${other}.po_key = ${po}.po_key and ${other}.quote_only = ${po}.quote_only and ${other}.id <> ${po}.id`;

// Its file has it in several spellings, and none of them is live: that explains it, whatever other files have.
const conflictsWithin = (po: string): string => `exists (
  select from purchase_orders o where ${sameNumber('o', po)} and o.import_id = ${po}.import_id and o.state = 'held' and ${isConflicting('o')})`;

const another = (po: string, text: string, which: string): string => `(
  select ${text} from purchase_orders o join imports f on f.id = o.import_id where ${sameNumber('o', po)} and ${which} limit 1)`;

/** SQL: what the cell of a row issue says, as a sentence. */
export const cellSays = (issue: string): string =>
  `case when coalesce(${issue}.found, '') = '' then format('"%s" is blank.', ${issue}.column_name)
    else format('"%s" says "%s".', ${issue}.column_name, ${issue}.found) end`;

/** SQL: the value of the PO's file that no file had before, which is then why it conflicts; nothing without one. */
const newValue = (po: string): string => `coalesce((
  select format(' Row %s: ', r.row_number) || ${cellSays('r')} from row_issues r
  where r.import_id = ${po}.import_id and r.po_number = ${po}.po_number and r.question is not null order by r.row_number limit 1), '')`;

/**
 * SQL: why a PO is held or ended, as it is now. What a conflict is about may have changed since the file of the PO was read: the other PO
 * was withdrawn because its file was read again, or was cancelled, or submitted. Everything that shows a reason reads it here.
 */
export const reasonTextOf = (po: string): string => `case
  when ${po}.state = 'held' and ${isConflicting(po)} and not ${conflictsWithin(po)} then coalesce(
    ${another(po, conflictReason('o', 'f', po), `${isLive('o')} order by o.po_number <> ${po}.po_number, o.id`)} || ${newValue(po)},
    ${another(
      po,
      `${namedPo('o')} || ' in ' || ${fileAndRow('o', 'f')} || ' is ' || ${shownState('o')} || ' now, so this one no longer conflicts with it. Release this one to order it, or cancel it.'`,
      `o.state in ('failed', 'cancelled') and not ${isConflicting('o')} order by o.id desc`,
    )},
    ${po}.reason_text)
  else ${po}.reason_text end`;
