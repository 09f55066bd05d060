import { anyValue, notFor } from '../intake/layouts/answers.ts';
import { notesOfPo } from '../intake/rows/row-issue.ts';
import { endedStates } from '../placing/live-po.ts';
import { activeStates } from '../placing/types.ts';

/** SQL: texts of the code, for an `in`. */
export const listed = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
const [active, ended] = [listed(activeStates), listed(endedStates)];

/** SQL: the PO has a next step. Always the same text, so that Postgres can use the partial indexes. */
export const isActive = (po: string): string => `${po}.state in (${active})`;

/** SQL: a PO number in a sentence, said to be one only where it does not say so itself. */
export const namedPo = (po: string): string =>
  `(case when ${po}.po_number ~* '^p\\.?o(?![a-z])' then '' else 'PO ' end || ${po}.po_number)`;

/**
 * SQL: a person has settled what the PO needs one for: its alarm, or that it failed or was rejected. Another alarm, and a new attempt that
 * ends without an order, take it back (trigger `keep_up_po`).
 */
export const isSettled = (po: string): string => `${po}.alarm_settled_at is not null`;

/** SQL: the PO has an unsettled alarm. Always the same text, for the partial index. */
export const hasOpenAlarm = (po: string): string =>
  `(${po}.alarm is not null and ${po}.alarm_settled_at is null)`;

/**
 * SQL: it failed or was rejected, and neither a later file nor a person has said that nothing is left to do. Always the same text, for the
 * partial index.
 */
export const isUnsolved = (po: string): string =>
  `(${po}.state in ('failed', 'rejected') and ${po}.reason_code is distinct from 'corrected' and ${po}.alarm_settled_at is null)`;

/** SQL: why a PO failed, without the row that the service's answer was about: POs of one file fail for one cause in different rows. */
export const messageOf = (po: string): string => `regexp_replace(${po}.reason_text, '\\mrow [0-9]+: ', '')`;

/** SQL: in what the order of a PO differs, without its numbers: POs whose alarms have the same cause are shown together. */
export const alarmCause = (po: string): string => `split_part(${po}.alarm, ':', 1)`;

/**
 * SQL: the state of a PO as it is counted: of one that failed or was rejected `corrected` where a later file has it, and `not_needed` where
 * a person says so.
 */
export const countedState = (
  po: string,
): string => `case when ${po}.state not in ('failed', 'rejected') then ${po}.state
  when ${po}.reason_code is not distinct from 'corrected' then 'corrected' when ${isSettled(po)} then 'not_needed' else ${po}.state end`;

/** SQL: the same, with `quoted` for a quote that has its prices. */
export const shownState = (po: string): string =>
  `case when ${po}.reason_code = 'quoted' then 'quoted' else ${countedState(po)} end`;

/** SQL: a refused file that nobody has said is not needed. */
export const isOpenRefusal = (i: string): string => `(${i}.state = 'refused' and ${i}.settled_at is null)`;

/** SQL: a time on the database's clock, by the parameter or expression with the milliseconds. */
export const msFromNow = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** SQL: the PO conflicts with another one of its number, which an earlier file or row has. It is held, and it is not the live one. */
export const isConflicting = (po: string): string =>
  `(${po}.reason_code is not distinct from 'conflicting_po')`;

/** SQL: the PO is the one to which its number belongs; the ledger has at most one of each number (index one_live_po). */
export const isLive = (po: string): string => `(${po}.state not in (${ended}) and not ${isConflicting(po)})`;

/** SQL: nothing of the PO is submitted, so that a person can still decide whether it is ordered. */
export const isUnsubmitted = (po: string): string =>
  `(${po}.state in ('held', 'ready', 'cart_created', 'items_added'))`;

/** SQL: a person had the file of the import read in another way, so a later import says what it means. */
export const isReadAgain = (i: string): string =>
  `exists (select from uploads u where u.reread_of = ${i}.id and u.state = 'confirmed')`;

/**
 * SQL: sorts POs of one number so that the one comes first that a person means: the live one, otherwise the latest. One that a later file
 * corrected comes last: that file's PO took its place, whatever became of it.
 */
export const meantFirst = (po: string): string =>
  `${isLive(po)} desc, ${po}.reason_code is not distinct from 'corrected', ${po}.id desc`;

const sameNumber = (one: string, other: string): string =>
  `${one}.account = ${other}.account and ${one}.po_key = ${other}.po_key and ${one}.po_number = ${other}.po_number
    and ${one}.quote_only = ${other}.quote_only`;

/**
 * SQL: `other`, a PO of the same number, says what became of a PO that has ended. An earlier one says nothing of a rejected PO, with which a
 * later file wants something else, unless the same was corrected before.
 */
const isAnswerTo = (other: string, po: string): string =>
  `(${other}.id > ${po}.id or ${po}.state <> 'rejected' or ${po}.reason_code is not distinct from 'corrected')`;

/** SQL: a PO that has ended is the one that a person means by its number: no other one is live, or came later. */
export const isMeant = (po: string): string =>
  `(${po}.reason_code is distinct from 'corrected' and not exists (select from purchase_orders l where ${sameNumber('l', po)}
    and ((${isLive('l')} and ${isAnswerTo('l', po)}) or (l.id > ${po}.id and l.reason_code is distinct from 'corrected'))))`;

/**
 * SQL: a person is needed, and can say that nothing is: the PO has an alarm, or its number was not ordered. The one definition for Today,
 * bulk runs and the rest; a held PO needs a decision instead.
 */
export const needsPerson = (po: string): string =>
  `(${hasOpenAlarm(po)} or (${isUnsolved(po)} and not ${po}.quote_only and ${isMeant(po)}))`;

/** SQL: another PO of its number can be meant: it has ended, and not as a quote that got its prices. */
const canBeReplaced = (po: string): string =>
  `(${po}.state in (${ended}) and ${po}.reason_code is distinct from 'quoted')`;

const meantOf = (po: string): string => `lateral (
    select l.* from purchase_orders l where ${sameNumber('l', po)}
      and (l.id = ${po}.id or (${canBeReplaced(po)} and ${isAnswerTo('l', po)}))
    order by ${meantFirst('l')} limit 1)`;

/** SQL: the PO was cancelled in its own file, which stays so whatever later files ask for. */
const isCancelledHere = (po: string): string =>
  `(${po}.state = 'cancelled' and ${po}.reason_code is distinct from 'read_again')`;

/**
 * SQL: the POs that a file asks for: `asked`, the PO of the file (`own`) or the one that it repeats, `meant_id`, the one that a person means
 * by its number, and the columns of the one that is counted. That is the one meant, but for a PO that was cancelled in the file. Most POs of
 * a file are the ones meant, and no other is looked for.
 */
export const posOfFile = (importId: string): string => `(
  select p as asked, true as own, p.id as meant_id, p.* from purchase_orders p
    where p.import_id = ${importId} and not ${canBeReplaced('p')}
  union all
  select p, true, m.id, p.* from purchase_orders p cross join ${meantOf('p')} m
    where p.import_id = ${importId} and ${canBeReplaced('p')} and ${isCancelledHere('p')}
  union all
  select p, true, m.id, m.* from purchase_orders p cross join ${meantOf('p')} m
    where p.import_id = ${importId} and ${canBeReplaced('p')} and not ${isCancelledHere('p')}
  union all
  select p, false, m.id, m.* from repeated_purchase_orders r join purchase_orders p on p.id = r.purchase_order_id
    cross join ${meantOf('p')} m where r.import_id = ${importId})`;

/** SQL: a row of `posOfFile` is counted as a PO of the file itself. */
export const isHere = (w: string): string => `(${w}.own and ${w}.id = (${w}.asked).id)`;

/** SQL: a row of `posOfFile` is a PO that was cancelled in the file and came again in another one. */
export const cameAgain = (w: string): string => `(${isHere(w)} and ${w}.meant_id <> ${w}.id)`;

/** SQL: when the PO came into its state. That a later file corrected it is no new state. */
export const stateSince = (po: string): string =>
  `case when ${po}.reason_code is distinct from 'corrected' then ${po}.changed_at when ${po}.state = 'rejected' then ${po}.created_at
    else coalesce((select max(t.ended_at) from intents t where t.purchase_order_id = ${po}.id), ${po}.created_at) end`;

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
  `(${issue}.severity = 'issue' or ${issue}.code in (${listed(notesOfPo)}))`;

/** SQL: an item as `largest_orders` names it, by the columns or parameters with its SKU and its number. */
export const itemKey = (sku: string, id: string): string => `coalesce(${sku}, '#' || ${id})`;

// By what was known before the PO: the POs of an account's first file must not be compared with each other.
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

/** SQL: which answers for a whole column do not cover a value. */
const exceptions = Object.entries(notFor)
  .map(([exception, answers]) => `when '${exception}' then '{${answers.join(',')}}'::text[]`)
  .join(' ');

/**
 * SQL: what is known of the value that the row issue `r` of an import `i` with the layout `l` asks about: what was said of the value itself,
 * otherwise of all other values of its column.
 */
export const answerOf = (r: string, i: string, l: string): string =>
  `(select v from layout_values v where v.account = ${i}.account and v.header_key = ${l}.header_key
    and v.column_key = split_part(${r}.question, E'\\n', 1) and (v.value_key = split_part(${r}.question, E'\\n', 2) or (v.value_key = '${anyValue}'
      and v.answer <> all (case split_part(${r}.question, E'\\n', 3) ${exceptions} else '{}' end)))
    order by v.value_key = '${anyValue}' limit 1)`;

/** SQL: what the row issue asks about, without the answer for a whole column that does not cover it, which earlier versions did not store. */
export const askedAbout = (r: string): string =>
  `regexp_replace(${r}.question, E'\\n(${Object.keys(notFor).join('|')})$', '')`;

/** SQL: nobody has said for good what the value means. */
export const isUnanswered = (r: string, i: string, l: string): string =>
  `coalesce((${answerOf(r, i, l)}).answer, 'ask') not in ('order', 'leave_out', 'pieces')`;

/** SQL: a row of the PO has a value that nobody has said the meaning of. */
export const hasOpenQuestion = (p: string): string =>
  `exists (select from row_issues r join imports i on i.id = r.import_id join layouts l on l.id = i.layout_id
    where r.import_id = ${p}.import_id and r.po_number = ${p}.po_number and r.question is not null and ${isUnanswered('r', 'i', 'l')})`;
