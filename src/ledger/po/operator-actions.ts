import type pg from 'pg';
import type { ActionPlan, ActionTarget } from '../../placing/action-target.ts';
import {
  actionRules,
  type OperatorAction,
  planOperatorAction,
  statesFor,
} from '../../placing/operator-actions.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { noteChange, notePurchaseOrder } from '../changes.ts';
import { reasonTextOf } from '../conflict-reason.ts';
import type { Actor } from '../console/activity.ts';
import { withoutNulls } from '../nulls.ts';
import { poKeyOf } from '../po-key.ts';
import {
  hasOpenAlarm,
  hasOpenQuestion,
  isLive,
  isSettled,
  linesOf,
  needsPerson,
} from '../purchase-order-sql.ts';
import { changesOne } from '../query.ts';
import { mayHaveOrdered, nothingSent } from '../submissions.ts';
import { assignPo } from './assign-po.ts';
import { changePos, withParts } from './change.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { endHeldQuotes } from './quotes.ts';
import { actingOn, recordedAction } from './recorded-action.ts';
import { settlePo } from './settle-po.ts';
import { recordWish, type Wish } from './wishes.ts';

/** Selects POs; every given condition must be true. */
export interface PurchaseOrderFilter {
  account?: string | undefined;
  poNumber?: string | undefined;
  importId?: string | undefined;
  reasonCode?: string | undefined;
}

/** Who acts, with an optional note. */
export interface Operator {
  who: string;
  note?: string | undefined;
  /** Default: command line. */
  via?: Actor['via'];
  /** The bulk run that acts for the person. */
  bulkRunId?: string;
  /** Action assign: the assignee; null: nobody. */
  assignee?: string | null;
}

export interface ActionResult {
  poNumber: string;
  id: string;
  outcome: { kind: 'done'; state: PurchaseOrderState } | { kind: 'not_possible'; why: string };
}

/** SQL: the columns of an `ActionTarget`. */
export const targetColumns = `p.id, p.account, p.po_number as "poNumber", p.import_id as "importId", p.state, p.run,
    p.reason_code as "reasonCode", ${reasonTextOf('p')} as "reasonText", p.cancelling, p.holding,
    case when ${hasOpenAlarm('p')} then p.alarm end as alarm, ${isSettled('p')} as settled, p.quote_only as "quoteOnly", p.lease_owner is not null as leased, ${linesOf('p')} as lines, ${mayHaveOrdered('p')} as "mayHaveOrdered",
    ${nothingSent('p')} as "nothingSent",
    ${hasOpenQuestion('p')} as asks`;

const findSql = `
  select ${targetColumns}
  from purchase_orders p
  where ($1::text is null or p.account = $1) and ($2::text is null or p.po_number = $2)
    and ($6::text is null or p.po_key = $6)
    and ($3::bigint is null or p.import_id = $3) and ($4::text is null or p.reason_code = $4)
    and p.state = any($5) and p.reason_code is distinct from 'corrected'
    and ($7::text is distinct from 'settling' or ${needsPerson('p')}) and ($8::boolean is null or (${isSettled('p')}) = $8)
  order by p.id`;

// `run` increases with every action of a worker or an operator, so an action never applies to a later hold.
const writeSql = (takesAway: boolean): string => {
  const { acted, ...follows } = changePos('acted', {
    by: 'act',
    set: {
      state: '$8',
      epoch: 'p.epoch + $9::int',
      reason_code: '$10',
      reason_text: '$11',
      approvals: 'p.approvals || $12::jsonb',
      cancelling: '$13',
      holding: 'false',
      rebuilds: '0',
      lookups: '0',
      failures: '0',
      failing_since: 'null',
      alarm: 'null',
      alarm_code: 'null',
      next_at: 'clock_timestamp()',
      dispatch: `'backlog'`,
    },
    newRun: true,
    where: 'p.id = $1 and p.state = $6 and p.run = $7 and p.lease_owner is null',
    returning: 'p.po_key, p.quote_only, p.state',
    ...(takesAway ? { takesAway: 'ask' as const } : {}),
  });
  return `${withParts({
    acted: acted!,
    quotes: endHeldQuotes(`(select * from acted where not quote_only and state <> 'cancelled')`),
    ...recordedAction('$14', `'was', $6::text, 'reasonCode', $15::text, 'reason', $16::text`),
    ...follows,
  })} select from acted`;
};

const wish = async (
  pool: pg.Pool,
  po: ActionTarget,
  what: Wish,
  by: Operator,
): Promise<ActionResult['outcome']> => {
  const state = await recordWish(pool, po.id, what, by);
  if (state === undefined) return changedMeanwhile(pool, po.id);
  return { kind: 'done', state };
};

const noteAction = (pool: pg.Pool, po: ActionTarget): void => {
  notePurchaseOrder(pool, po);
  noteChange(pool, { topics: ['activity'], account: po.account });
};

const uniqueViolation = '23505';

/** The POs that an action with this filter would change, for a confirmation. */
export const findActionTargets = async (
  pool: pg.Pool,
  action: OperatorAction,
  filter: PurchaseOrderFilter,
): Promise<ActionTarget[]> => {
  const { account = null, poNumber = null, importId = null, reasonCode = null } = filter;
  const { needs, settled } = actionRules[action];
  // A PO named explicitly is retried even if it is marked as not needed.
  const isNamed = action === 'retry' && poNumber !== null;
  const { rows } = await pool.query(findSql, [
    account,
    poNumber,
    importId,
    reasonCode,
    statesFor(action),
    poNumber && poKeyOf(poNumber),
    needs ?? null,
    isNamed ? null : (settled ?? null),
  ]);
  return rows.map((row) => withoutNulls<ActionTarget>(row));
};

const withoutLines = ({ reasonCode }: ActionTarget) =>
  ({
    kind: 'not_possible',
    why:
      reasonCode === 'left_out'
        ? 'a person has said that all of its rows are left out; send the order again in a new file, without the value for which they are'
        : 'its lines were removed from the ledger by age (retention.rows); send the order again in a new file',
  }) as const;

/**
 * Applies an action to POs, to each separately and only if it has not changed since it was found, and records who did it
 * and why. Not idempotent, but safe to repeat: a PO that has already changed answers `not_possible`. The workers continue
 * from the new state.
 */
export const applyOperatorAction = async (
  pool: pg.Pool,
  action: OperatorAction,
  pos: readonly ActionTarget[],
  by: Operator,
): Promise<ActionResult[]> => {
  const results: ActionResult[] = [];
  for (const po of pos) {
    // Without its lines, the PO would submit an empty cart.
    const planned =
      action === 'retry' && po.lines.length === 0 ? withoutLines(po) : planOperatorAction(action, po);
    const outcome =
      planned.kind === 'plan'
        ? await write(pool, action, po, planned.plan, by)
        : planned.kind === 'wish'
          ? await wish(pool, po, planned.wish, by)
          : planned.kind === 'settle'
            ? await settlePo(pool, po, planned, by)
            : planned.kind === 'assign'
              ? await assignPo(pool, po, by)
              : planned;
    if (outcome.kind === 'done') noteAction(pool, po);
    results.push({ poNumber: po.poNumber, id: po.id, outcome });
  }
  return results;
};

const numberIsLive = {
  kind: 'not_possible',
  why: 'another purchase order with this number is live, perhaps written in another case; use another PO number, or cancel the other one before it is ordered',
} as const;

// The index one_live_po only rejects the same spelling; earlier versions allowed several spellings.
const otherIsLiveSql = `select from purchase_orders p join purchase_orders l on l.account = p.account and l.po_key = p.po_key
    and l.quote_only = p.quote_only and l.id <> p.id and ${isLive('l')}
  where p.id = $1 and not ${isLive('p')} limit 1`;

const write = async (
  pool: pg.Pool,
  action: OperatorAction,
  po: ActionTarget,
  plan: ActionPlan,
  by: Operator,
): Promise<ActionResult['outcome']> => {
  if (plan.state !== 'cancelled' && (await changesOne(pool, otherIsLiveSql, [po.id]))) return numberIsLive;
  try {
    // Files that repeat a PO get their own when it is withdrawn.
    const { rowCount } = await pool.query(writeSql(plan.state === 'cancelled'), [
      ...actingOn(po.id, by),
      po.state,
      po.run,
      plan.state,
      plan.nextEpoch ? 1 : 0,
      plan.reason?.code ?? null,
      plan.reason?.text ?? null,
      JSON.stringify(plan.approvals),
      plan.cancelling,
      action,
      po.reasonCode ?? null,
      po.reasonText ?? null,
    ]);
    if (rowCount !== 1) return changedMeanwhile(pool, po.id);
    return { kind: 'done', state: plan.state };
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    return numberIsLive;
  }
};
