import type pg from 'pg';
import {
  planSteer,
  type SteerAction,
  type SteerablePurchaseOrder,
  type SteerPlan,
} from '../placing/steer.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import { poKeyOf } from './po-key.ts';
import { linesOf, withoutNulls } from './purchase-orders.ts';
import { endHeldQuotes } from './quotes.ts';
import { makeResultsDue } from './result-due.ts';
import { mayHaveOrdered } from './submissions.ts';

/** Which POs a person means; all that are given must hold. */
export interface SteerFilter {
  account?: string | undefined;
  poNumber?: string | undefined;
  importId?: string | undefined;
  reasonCode?: string | undefined;
}

/** Who steers, and why in their own words. */
export interface SteeredBy {
  who: string;
  note?: string | undefined;
}

export interface SteerResult {
  poNumber: string;
  id: string;
  outcome: { kind: 'done'; state: PurchaseOrderState } | { kind: 'not_possible'; why: string };
}

const stateFor: Record<SteerAction, PurchaseOrderState[]> = {
  release: ['held'],
  submit_again: ['held'],
  adopt: ['held'],
  cancel: ['held', 'ready', 'cart_created', 'items_added', 'submitting', 'verifying', 'ordered', 'closed'],
  retry: ['failed'],
};

const findSql = `
  select p.id, p.account, p.po_number as "poNumber", p.import_id as "importId", p.state, p.run,
    p.reason_code as "reasonCode", p.reason_text as "reasonText", p.cancelling,
    p.quote_only as "quoteOnly", p.lease_owner is not null as leased, ${linesOf('p')} as lines, ${mayHaveOrdered('p')} as "mayHaveOrdered"
  from purchase_orders p
  where ($1::text is null or p.account = $1) and ($2::text is null or p.po_number = $2)
    and ($6::text is null or p.po_key = $6)
    and ($3::bigint is null or p.import_id = $3) and ($4::text is null or p.reason_code = $4)
    and p.state = any($5)
  order by p.id`;

// `run` counts whatever a worker or a person did, so that a hold is never answered that has become another one.
const writeSql = `
  with steered as (
    update purchase_orders p set
      state = $4, epoch = p.epoch + $5::int, reason_code = $6, reason_text = $7,
      approvals = p.approvals || $8::jsonb, cancelling = $9,
      rebuilds = 0, looks = 0, failures = 0, failing_since = null, alarm = null,
      next_at = clock_timestamp(), run = p.run + 1, changed_at = clock_timestamp()
    where p.id = $1 and p.state = $2 and p.run = $3 and p.lease_owner is null
    returning p.id, p.account, p.import_id, p.po_key, p.quote_only, p.state
  ), quotes as (${endHeldQuotes(`(select * from steered where not quote_only and state <> 'cancelled')`)}
  ), said as (
    insert into operator_actions (who, action, account, import_id, purchase_order_id, note)
    select $10, $11, s.account, s.import_id, s.id, $12 from steered s
  ), due as (${makeResultsDue('steered')})
  select from steered`;

const uniqueViolation = '23505';

/** What a person means by a filter and an action, before it is done: for a confirmation. */
export const findSteerable = async (
  pool: pg.Pool,
  action: SteerAction,
  filter: SteerFilter,
): Promise<SteerablePurchaseOrder[]> => {
  const { account = null, poNumber = null, importId = null, reasonCode = null } = filter;
  const { rows } = await pool.query(findSql, [
    account,
    poNumber,
    importId,
    reasonCode,
    stateFor[action],
    poNumber && poKeyOf(poNumber),
  ]);
  return rows.map((row) => withoutNulls<SteerablePurchaseOrder>(row));
};

/** The latest PO of each kind (order, quote) that a filter by number means, in whatever state: for a message. */
export const findLatest = async (
  pool: pg.Pool,
  { account = null, poNumber }: { account?: string | null | undefined; poNumber: string },
): Promise<Pick<SteerablePurchaseOrder, 'account' | 'poNumber' | 'state' | 'quoteOnly'>[]> => {
  const { rows } = await pool.query(
    `select distinct on (account, quote_only) account, po_number as "poNumber", state, quote_only as "quoteOnly"
     from purchase_orders
     where ($1::text is null or account = $1) and po_key = $2 and po_number = $3
     order by account, quote_only, id desc`,
    [account, poKeyOf(poNumber), poNumber],
  );
  return rows;
};

/**
 * Does an action to POs, each by itself and only while it stands as it was found, with an entry of who did it
 * and why. Not idempotent, but safe to repeat: what was steered already answers `not_possible`. The workers go
 * on from there.
 */
export const steer = async (
  pool: pg.Pool,
  action: SteerAction,
  pos: readonly SteerablePurchaseOrder[],
  by: SteeredBy,
): Promise<SteerResult[]> => {
  const results: SteerResult[] = [];
  for (const po of pos) {
    const steered = planSteer(action, po);
    const outcome = steered.kind === 'plan' ? await write(pool, action, po, steered.plan, by) : steered;
    results.push({ poNumber: po.poNumber, id: po.id, outcome });
  }
  return results;
};

const write = async (
  pool: pg.Pool,
  action: SteerAction,
  po: SteerablePurchaseOrder,
  plan: SteerPlan,
  by: SteeredBy,
): Promise<SteerResult['outcome']> => {
  try {
    const { rowCount } = await pool.query(writeSql, [
      po.id,
      po.state,
      po.run,
      plan.state,
      plan.nextEpoch ? 1 : 0,
      plan.reason?.code ?? null,
      plan.reason?.text ?? null,
      JSON.stringify(plan.approvals),
      plan.cancelling,
      by.who,
      action,
      by.note ?? null,
    ]);
    return rowCount === 1
      ? { kind: 'done', state: plan.state }
      : { kind: 'not_possible', why: 'it changed meanwhile; look at it again' };
  } catch (error) {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    return {
      kind: 'not_possible',
      why: 'another purchase order with this number is live; settle that one first',
    };
  }
};
