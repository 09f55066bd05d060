import { anyValue, notFor } from '../intake/layouts/answers.ts';
import { notesOfPo } from '../intake/rows/row-issue.ts';
import { endedStates } from '../placing/live-po.ts';
import { activeStates } from '../placing/types.ts';

/** SQL: texts of the code, for an `in`. */
export const listed = (texts: readonly string[]): string => texts.map((text) => `'${text}'`).join(', ');
const [active, ended] = [listed(activeStates), listed(endedStates)];

/** SQL: the PO has a next step. Always the same text, so that Postgres can use the partial indexes. */
export const isActive = (po: string): string => `${po}.state in (${active})`;

/** SQL: a PO number in a sentence, prefixed with "PO" unless it already says so. */
export const namedPo = (po: string): string =>
  `(case when ${po}.po_number ~* '^p\\.?o(?![a-z])' then '' else 'PO ' end || ${po}.po_number)`;

/**
 * SQL: a person has settled the PO's alarm, failure or rejection. Another alarm, or a new attempt that ends without an order, undoes this
 * (trigger `keep_up_po`).
 */
export const isSettled = (po: string): string => `${po}.alarm_settled_at is not null`;

/** SQL: the PO has an unsettled alarm. Always the same text, for the partial index. */
export const hasOpenAlarm = (po: string): string =>
  `(${po}.alarm is not null and ${po}.alarm_settled_at is null)`;

/**
 * SQL: it failed or was rejected, and neither a later file corrected it nor a person settled it. Always the same text, for the partial
 * index.
 */
export const isUnsolved = (po: string): string =>
  `(${po}.state in ('failed', 'rejected') and ${po}.reason_code is distinct from 'corrected' and ${po}.alarm_settled_at is null)`;

/** SQL: why a PO failed, without the row number in the service's answer, so that POs that fail for one cause in different rows are grouped. */
export const messageOf = (po: string): string => `regexp_replace(${po}.reason_text, '\\mrow [0-9]+: ', '')`;

/** SQL: how the order of a PO differs, without the numbers: alarms with the same cause are shown together. */
export const alarmCause = (po: string): string => `split_part(${po}.alarm, ':', 1)`;

/**
 * SQL: the state under which a PO is counted: a failed or rejected one is `corrected` if a later file has it, and `not_needed` if a person
 * said so.
 */
export const countedState = (
  po: string,
): string => `case when ${po}.state not in ('failed', 'rejected') then ${po}.state
  when ${po}.reason_code is not distinct from 'corrected' then 'corrected' when ${isSettled(po)} then 'not_needed' else ${po}.state end`;

/** SQL: the same, with `quoted` for a completed quote. */
export const shownState = (po: string): string =>
  `case when ${po}.reason_code = 'quoted' then 'quoted' else ${countedState(po)} end`;

/** SQL: a refused file that nobody has marked as not needed. */
export const isOpenRefusal = (i: string): string => `(${i}.state = 'refused' and ${i}.settled_at is null)`;

/** SQL: a time on the database's clock, by the parameter or expression with the milliseconds. */
export const msFromNow = (ms: string): string => `clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** SQL: the PO conflicts with one of an earlier file or row with the same number. It is held, and it is not the live one. */
export const isConflicting = (po: string): string =>
  `(${po}.reason_code is not distinct from 'conflicting_po')`;

/** SQL: the PO is the live one of its number; there is at most one per number (index one_live_po). */
export const isLive = (po: string): string => `(${po}.state not in (${ended}) and not ${isConflicting(po)})`;

/** SQL: the PO is not submitted, so a person can still decide whether it is ordered. */
export const isUnsubmitted = (po: string): string =>
  `(${po}.state in ('held', 'ready', 'cart_created', 'items_added'))`;

/** SQL: a person had the import's file read again with another mapping, so a later import replaces it. */
export const isReadAgain = (i: string): string =>
  `exists (select from uploads u where u.reread_of = ${i}.id and u.state = 'confirmed')`;

/**
 * SQL: sorts POs of one number so that the one that a person means comes first: the live one, otherwise the latest. A corrected PO comes
 * last, because the later file's PO replaced it, whatever its outcome.
 */
export const meantFirst = (po: string): string =>
  `${isLive(po)} desc, ${po}.reason_code is not distinct from 'corrected', ${po}.id desc`;

const sameNumber = (one: string, other: string): string =>
  `${one}.account = ${other}.account and ${one}.po_key = ${other}.po_key and ${one}.po_number = ${other}.po_number
    and ${one}.quote_only = ${other}.quote_only`;

/**
 * SQL: `other`, a PO of the same number, shows the outcome of a PO that has ended. An earlier PO shows nothing about a rejected one,
 * because the later file wants something else, unless the rejected one is corrected.
 */
const isAnswerTo = (other: string, po: string): string =>
  `(${other}.id > ${po}.id or ${po}.state <> 'rejected' or ${po}.reason_code is not distinct from 'corrected')`;

/** SQL: an ended PO is the one that a person means by its number: no other one is live or later. */
export const isMeant = (po: string): string =>
  `(${po}.reason_code is distinct from 'corrected' and not exists (select from purchase_orders l where ${sameNumber('l', po)}
    and ((${isLive('l')} and ${isAnswerTo('l', po)}) or (l.id > ${po}.id and l.reason_code is distinct from 'corrected'))))`;

/**
 * SQL: the PO needs a person, who can also settle it: it has an alarm, or its number was not ordered. The one definition for Today, bulk
 * runs and the rest; a held PO needs a decision instead.
 */
export const needsPerson = (po: string): string =>
  `(${hasOpenAlarm(po)} or (${isUnsolved(po)} and not ${po}.quote_only and ${isMeant(po)}))`;

/** SQL: its number may refer to another PO: it has ended, and is not a completed quote. */
const canBeReplaced = (po: string): string =>
  `(${po}.state in (${ended}) and ${po}.reason_code is distinct from 'quoted')`;

const meantOf = (po: string): string => `lateral (
    select l.* from purchase_orders l where ${sameNumber('l', po)}
      and (l.id = ${po}.id or (${canBeReplaced(po)} and ${isAnswerTo('l', po)}))
    order by ${meantFirst('l')} limit 1)`;

/** SQL: the PO stays cancelled in its own file, whatever later files ask for. */
const isCancelledHere = (po: string): string =>
  `(${po}.state = 'cancelled' and ${po}.reason_code is distinct from 'read_again')`;

/**
 * SQL: the POs that a file asks for: `asked` is the PO of the file (`own`) or the one that it repeats, `meant_id` the one that a person
 * means by its number; the other columns are those of the counted PO. That is the one meant, except for a PO that was cancelled in the
 * file. Most POs of a file are the ones meant, so no other is looked up.
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

/** SQL: when the PO came into its state. Being corrected by a later file is not a new state. */
export const stateSince = (po: string): string =>
  `case when ${po}.reason_code is distinct from 'corrected' then ${po}.changed_at when ${po}.state = 'rejected' then ${po}.created_at
    else coalesce((select max(t.ended_at) from intents t where t.purchase_order_id = ${po}.id), ${po}.created_at) end`;

/** SQL: a person has paused the account. Nothing is sent until a person resumes it, and no job is scheduled for a time. */
export const personPaused = (account: string): string =>
  `exists (select from account_states o where o.account = ${account} and o.operator_paused_at is not null)`;

/**
 * SQL: nothing is sent for the account: a person has paused it, or an automatic pause is not over.
 * @param at SQL: an earlier time for which to answer
 */
export const isStopped = (account: string, at = 'clock_timestamp()'): string =>
  `exists (select from account_states a where a.account = ${account} and (a.operator_paused_at is not null or a.paused_until > ${at}))`;

/**
 * SQL: when a paused account is checked again; null without a pause (`least` alone would give an hour). Capped at an hour, although the
 * pause may be longer, so that the queue never gets a delay that it cannot represent.
 */
export const pauseEnd = (account: string): string =>
  `case when ${account}.paused_until is not null
    then least(${account}.paused_until, clock_timestamp() + interval '1 hour') end`;

/**
 * SQL: whether the account of these columns is paused. A pause lasts until a call has succeeded, including while one PO tries. Only the
 * pause after a restore ends by time alone, because nothing is wrong and there may be no call to make.
 */
export const isPaused = (account: string): string =>
  `(${account}.pause_code is not null and (${account}.pause_code <> 'restored' or ${account}.paused_until > clock_timestamp()))`;

/**
 * SQL: the note of an action on a PO, with its previous hold or failure reason, which the PO itself no longer has (earlier versions did not
 * record it), or with the text of the settled alarm.
 */
export const actionNote = (action: string): string =>
  `nullif(concat_ws(' · ', ${action}.note, 'It was ' || (${action}.detail ->> 'was') || ': ' || (${action}.detail ->> 'reason'), ${action}.detail ->> 'alarm'), '')`;

/**
 * SQL: the states that POs were in when a person released, retried or cancelled them: `purchase_order_id`, `at` (since when), `state`,
 * `reason_code` and `reason`. The POs themselves no longer have them. Earlier versions did not record `at`.
 */
export const actedOn = (condition: string): string => `(
  select a.purchase_order_id, (a.detail ->> 'since')::timestamptz as at, a.detail ->> 'was' as state,
    a.detail ->> 'reasonCode' as reason_code, a.detail ->> 'reason' as reason
  from operator_actions a
  where ${condition} and a.detail ->> 'was' in ('held', 'failed') and a.detail ? 'since')`;

/** SQL: which row issues a PO's page shows: why a row is refused, and how the order differs from it. */
export const shownOfPo = (issue: string): string =>
  `(${issue}.severity = 'issue' or ${issue}.code in (${listed(notesOfPo)}))`;

/** SQL: an item as `largest_orders` names it, by the columns or parameters with its SKU and its number. */
export const itemKey = (sku: string, id: string): string => `coalesce(${sku}, '#' || ${id})`;

// Only what was known before the PO: the POs of an account's first file must not be compared with each other.
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

/** SQL: the values that an answer for a whole column does not cover. */
const exceptions = Object.entries(notFor)
  .map(([exception, answers]) => `when '${exception}' then '{${answers.join(',')}}'::text[]`)
  .join(' ');

/** SQL: the answer to row issue `r` of import `i` with layout `l`: for the value itself, otherwise the one for the whole column. */
export const answerOf = (r: string, i: string, l: string): string =>
  `(select v from layout_values v where v.account = ${i}.account and v.header_key = ${l}.header_key
    and v.column_key = split_part(${r}.question, E'\\n', 1) and (v.value_key = split_part(${r}.question, E'\\n', 2) or (v.value_key = '${anyValue}'
      and v.answer <> all (case split_part(${r}.question, E'\\n', 3) ${exceptions} else '{}' end)))
    order by v.value_key = '${anyValue}' limit 1)`;

/**
 * SQL: the question of a row issue without its last part, the kind of value that column-wide answers do not cover; earlier versions did not
 * store that part.
 */
export const askedAbout = (r: string): string =>
  `regexp_replace(${r}.question, E'\\n(${Object.keys(notFor).join('|')})$', '')`;

/** SQL: the value has no final answer. */
export const isUnanswered = (r: string, i: string, l: string): string =>
  `coalesce((${answerOf(r, i, l)}).answer, 'ask') not in ('order', 'leave_out', 'pieces')`;

/** SQL: a row of the PO has a value without an answer. */
export const hasOpenQuestion = (p: string): string =>
  `exists (select from row_issues r join imports i on i.id = r.import_id join layouts l on l.id = i.layout_id
    where r.import_id = ${p}.import_id and r.po_number = ${p}.po_number and r.question is not null and ${isUnanswered('r', 'i', 'l')})`;
