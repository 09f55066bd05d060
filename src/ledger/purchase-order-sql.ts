import { anyValue } from '../intake/layouts/watch-columns.ts';
import { notesOfPo } from '../intake/rows/row-issue.ts';
import { endedStates } from '../placing/live-po.ts';
import { activeStates } from '../placing/types.ts';

const listed = (states: readonly string[]): string => states.map((state) => `'${state}'`).join(', ');
const [active, ended] = [listed(activeStates), listed(endedStates)];

/** SQL: the PO has a next step. Always the same text, so that Postgres can use the partial indexes. */
export const isActive = (po: string): string => `${po}.state in (${active})`;

/** SQL: a PO number in a sentence, said to be one only where it does not say so itself. */
export const namedPo = (po: string): string =>
  `(case when ${po}.po_number ~* '^p\\.?o(?![a-z])' then '' else 'PO ' end || ${po}.po_number)`;

/** SQL: the PO has an unsettled alarm. Always the same text, for the partial index. */
export const hasOpenAlarm = (po: string): string =>
  `(${po}.alarm is not null and ${po}.alarm_settled_at is null)`;

/** SQL: a time on the database's clock, by the parameter or expression with the milliseconds. */
export const msFromNow = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** SQL: the PO conflicts with another one of its number, which an earlier file or row has. It is held, and it is not the live one. */
export const isConflicting = (po: string): string =>
  `(${po}.reason_code is not distinct from 'conflicting_po')`;

/** SQL: the PO is the one to which its number belongs; the ledger has at most one of each number (index one_live_po). */
export const isLive = (po: string): string => `(${po}.state not in (${ended}) and not ${isConflicting(po)})`;

/**
 * SQL: sorts POs of one number so that the one comes first that a person means: the live one, otherwise the latest. One that a later file
 * corrected comes last: that file's PO took its place, whatever became of it.
 */
export const meantFirst = (po: string): string =>
  `${isLive(po)} desc, ${po}.reason_code is not distinct from 'corrected', ${po}.id desc`;

const sameNumber = (one: string, other: string): string =>
  `${one}.account = ${other}.account and ${one}.po_key = ${other}.po_key and ${one}.po_number = ${other}.po_number
    and ${one}.quote_only = ${other}.quote_only`;

/** SQL: a PO that has ended is the one that a person means by its number: no other one is live, or came later. */
export const isMeant = (po: string): string =>
  `(${po}.reason_code is distinct from 'corrected' and not exists (select from purchase_orders l where ${sameNumber('l', po)}
    and (${isLive('l')} or (l.id > ${po}.id and l.reason_code is distinct from 'corrected'))))`;

/**
 * SQL: the POs that a file asks for, each as the one that a person means by its number: `asked_id`, the PO of the file or the one that it
 * repeats, and the columns of the one meant. Only of a PO that has ended another one can be meant.
 */
export const posOfFile = (importId: string): string => `(
  select f.id as asked_id, f.own, m.* from (
    select p.id, true as own from purchase_orders p where p.import_id = ${importId}
    union all
    select r.purchase_order_id, false from repeated_purchase_orders r where r.import_id = ${importId}) f
  join purchase_orders p on p.id = f.id
  cross join lateral (
    select l.* from purchase_orders l
    where case when p.state in (${ended}) and p.reason_code is distinct from 'quoted'
      then ${sameNumber('l', 'p')} else l.id = p.id end
    order by ${meantFirst('l')} limit 1) m)`;

/** SQL: a person has paused the account. Nothing is sent, and nothing waits for a time: it goes on when a person resumes it. */
export const personPaused = (account: string): string =>
  `exists (select from account_states o where o.account = ${account} and o.operator_paused_at is not null)`;

/**
 * SQL: nothing is sent for the account: a person has paused it, or a pause of Cartwright is not over.
 * @param at SQL: an earlier moment, for what was so until then
 */
export const isStopped = (account: string, at = 'clock_timestamp()'): string =>
  `exists (select from account_states a where a.account = ${account} and (a.operator_paused_at is not null or a.paused_until > ${at}))`;

/**
 * SQL: when an account is looked at again; null without a pause, which `least` alone would make an hour. Its pause may last longer, but no
 * job waits that long, so that the queue never holds a time that it cannot count with.
 */
export const pauseEnd = (account: string): string =>
  `case when ${account}.paused_until is not null
    then least(${account}.paused_until, clock_timestamp() + interval '1 hour') end`;

/**
 * SQL: whether the account of these columns is paused. A pause holds until a call has succeeded, also while one PO tries; but that after
 * a restore is over with its time, because nothing is wrong and there may be no call to make.
 */
export const isPaused = (account: string): string =>
  `(${account}.pause_code is not null and (${account}.pause_code <> 'restored' or ${account}.paused_until > clock_timestamp()))`;

/**
 * SQL: the note of an action on a PO, and why the PO was held or failed before, which the PO itself no longer says. Earlier versions did
 * not record that. Of an alarm that was settled, what it said.
 */
export const actionNote = (action: string): string =>
  `nullif(concat_ws(' · ', ${action}.note, 'It was ' || (${action}.detail ->> 'was') || ': ' || (${action}.detail ->> 'reason'), ${action}.detail ->> 'alarm'), '')`;

/**
 * SQL: the states that POs were in when a person released, retried or cancelled them: `purchase_order_id`, `at` (since when), `state`,
 * `reason_code` and `reason`. The POs themselves no longer say it. Earlier versions did not record since when.
 */
export const actedOn = (condition: string): string => `(
  select a.purchase_order_id, (a.detail ->> 'since')::timestamptz as at, a.detail ->> 'was' as state,
    a.detail ->> 'reasonCode' as reason_code, a.detail ->> 'reason' as reason
  from operator_actions a
  where ${condition} and a.detail ->> 'was' in ('held', 'failed') and a.detail ? 'since')`;

/** SQL: what a PO's page says of its rows: why one of them is refused, and in what its order differs from them. */
export const shownOfPo = (issue: string): string =>
  `(${issue}.severity = 'issue' or ${issue}.code in (${notesOfPo.map((code) => `'${code}'`).join(', ')}))`;

/** SQL: an item as `largest_orders` names it, by the columns or parameters with its SKU and its number. */
export const itemKey = (sku: string, id: string): string => `coalesce(${sku}, '#' || ${id})`;

const largestOf = (po: string, item: string): string =>
  `(select m.quantity from largest_orders m
      where m.account = ${po}.account and m.item = ${item} and m.known_since < ${po}.created_at)`;

/** SQL: the lines of a PO as JSON, with the service's answers for its current cart. */
export const linesOf = (po: string): string => `(
  select coalesce(json_agg(json_build_object(
    'rowNumber', l.row_number, 'itemSku', l.item_sku, 'itemId', l.item_id, 'quantity', l.quantity, 'note', l.note,
    'expectedPrice', l.expected_price::text,
    'largestOrdered', json_build_object(
      'ofItem', ${largestOf(po, itemKey('l.item_sku', 'l.item_id'))}, 'ofAny', ${largestOf(po, "''")}),
    'answer', case when l.answered_epoch = ${po}.cart_epoch then json_build_object(
      'sku', l.sku, 'name', l.name, 'availableQuantity', l.available_quantity,
      'backorderQuantity', l.backorder_quantity, 'dealerPrice', l.dealer_price::text) end
  ) order by l.row_number), '[]')
  from lines l where l.import_id = ${po}.import_id and l.po_number = ${po}.po_number)`;

/**
 * SQL: what is known of the value that the row issue `r` of an import `i` with the layout `l` asks about: what was said of the value itself,
 * otherwise of all other values of its column.
 */
export const answerOf = (r: string, i: string, l: string): string =>
  `(select v from layout_values v where v.account = ${i}.account and v.header_key = ${l}.header_key
    and v.column_key = split_part(${r}.question, E'\\n', 1) and v.value_key in (split_part(${r}.question, E'\\n', 2), '${anyValue}')
    order by v.value_key = '${anyValue}' limit 1)`;

/** SQL: nobody has said for good what the value means. */
export const isUnanswered = (r: string, i: string, l: string): string =>
  `coalesce((${answerOf(r, i, l)}).answer, 'ask') not in ('order', 'leave_out', 'pieces')`;

/** SQL: a row of the PO has a value that nobody has said the meaning of. */
export const hasOpenQuestion = (p: string): string =>
  `exists (select from row_issues r join imports i on i.id = r.import_id join layouts l on l.id = i.layout_id
    where r.import_id = ${p}.import_id and r.po_number = ${p}.po_number and r.question is not null and ${isUnanswered('r', 'i', 'l')})`;
