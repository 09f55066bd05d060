import { stateWords } from '../placing/state-words.ts';
import { keyDifference } from './po-key.ts';
import { isConflicting, isLive, isUnsubmitted, namedPo } from './purchase-order-sql.ts';

/** SQL: the file and the row of a PO. */
export const fileAndRow = (po: string, file: string): string =>
  `'import ' || ${file}.id || ' (' || ${file}.file_name || ', row ' || ${po}.first_row || ')'`;

/** SQL: the state of a PO, worded for use in a sentence. */
export const shownState = (po: string): string =>
  `case ${po}.state ${Object.entries(stateWords)
    .map(([state, words]) => `when '${state}' then '${state === 'closed' ? 'complete' : words}'`)
    .join(' ')} end`;

/**
 * SQL: two POs have the same content in their files, without what the account's configuration adds. Earlier versions stored only one hash
 * over both.
 */
export const sameContent = (po: string, other: string): string =>
  `(coalesce(${po}.file_hash = ${other}.file_hash, ${po}.content_hash = ${other}.content_hash))`;

/** SQL: two POs write their number with the same characters. Earlier versions did not record the spelling. */
export const sameCharacters = (po: string, other: string): string =>
  `(${po}.file_hash is null or coalesce(${po}.po_written, ${po}.po_number) = coalesce(${other}.po_written, ${other}.po_number))`;

/**
 * SQL: why a PO conflicts with the live PO of its number.
 * @param live the live PO, and `file` its import
 * @param own the conflicting PO, which may still be staged
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

// If its own file has several spellings and none is live, that is the reason, whatever other files contain.
const conflictsWithin = (po: string): string => `exists (
  select from purchase_orders o where ${sameNumber('o', po)} and o.import_id = ${po}.import_id and o.state = 'held' and ${isConflicting('o')})`;

const another = (po: string, text: string, which: string): string => `(
  select ${text} from purchase_orders o join imports f on f.id = o.import_id where ${sameNumber('o', po)} and ${which} limit 1)`;

/** SQL: the content of a row issue's cell, as a sentence. */
export const cellSays = (issue: string): string =>
  `case when coalesce(${issue}.found, '') = '' then format('"%s" is blank.', ${issue}.column_name)
    else format('"%s" says "%s".', ${issue}.column_name, ${issue}.found) end`;

/** SQL: a sentence about the new value in the PO's file that makes it conflict; empty without one. */
const newValue = (po: string): string => `coalesce((
  select format(' Row %s: ', r.row_number) || ${cellSays('r')} from row_issues r
  where r.import_id = ${po}.import_id and r.po_number = ${po}.po_number and r.question is not null order by r.row_number limit 1), '')`;

/**
 * SQL: the current reason for which a PO is held or ended. A conflict may have changed since the PO's file was read: the other PO may have
 * been withdrawn for a re-read, cancelled or submitted. Everything that shows a reason must use this.
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
