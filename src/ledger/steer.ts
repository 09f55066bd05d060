import type pg from 'pg';
import { planSteer, type SteerAction, type SteerablePurchaseOrder } from '../placing/steer.ts';
import { linesOf, withoutNulls } from './purchase-orders.ts';

/** Which POs a person means; all that are given must hold. */
export interface SteerFilter {
  account?: string | undefined;
  poNumber?: string | undefined;
  importId?: string | undefined;
  reasonCode?: string | undefined;
}

export interface SteerResult {
  poNumber: string;
  id: string;
  outcome: { kind: 'done'; state: string } | { kind: 'not_possible'; why: string };
}

const stateFor: Record<SteerAction, string[]> = {
  release: ['held'],
  submit_again: ['held'],
  adopt: ['held'],
  cancel: ['held', 'ready', 'cart_created', 'items_added', 'submitting', 'verifying', 'ordered', 'closed'],
  retry: ['failed'],
};

const findSql = `
  select p.id, p.account, p.po_number as "poNumber", p.import_id as "importId", p.state, p.epoch,
    p.reason_code as "reasonCode", p.lease_owner is not null as leased, ${linesOf('p')} as lines,
    exists (select from intents i where i.purchase_order_id = p.id and i.step = 'submit_order'
      and i.outcome is distinct from 'not_acted' and i.outcome is distinct from 'refused') as "mayHaveOrdered"
  from purchase_orders p
  where ($1::text is null or p.account = $1) and ($2::text is null or p.po_number = $2)
    and ($3::bigint is null or p.import_id = $3) and ($4::text is null or p.reason_code = $4)
    and p.state = any($5)
  order by p.id`;

const writeSql = `
  with steered as (
    update purchase_orders p set
      state = $4, epoch = p.epoch + $5::int, reason_code = $6, reason_text = $7,
      approvals = p.approvals || $8::jsonb, cancelling = $9,
      baseline = case when $10 then '{}' else p.baseline end,
      rebuilds = 0, looks = 0, failures = 0, failing_since = null, alarm = null,
      quantities_checked = false, next_at = clock_timestamp(), run = p.run + 1,
      ordered_at = case when $4 = 'ordered' then clock_timestamp() else p.ordered_at end,
      changed_at = clock_timestamp()
    where p.id = $1 and p.state = $2 and p.epoch = $3 and p.lease_owner is null
    returning p.id, p.account, p.import_id
  ), said as (
    insert into operator_actions (who, action, account, import_id, purchase_order_id, note)
    select $11, $12, s.account, s.import_id, s.id, $13 from steered s
  ), due as (
    update imports set result_due = true where id in (select import_id from steered)
  )
  select count(*)::int as steered from steered`;

const uniqueViolation = '23505';

/** What a person means by a filter and an action, before it is done: for a confirmation. */
export const findSteerable = async (
  pool: pg.Pool,
  action: SteerAction,
  filter: SteerFilter,
): Promise<SteerablePurchaseOrder[]> => {
  const { account = null, poNumber = null, importId = null, reasonCode = null } = filter;
  const { rows } = await pool.query(findSql, [account, poNumber, importId, reasonCode, stateFor[action]]);
  return rows.map((row) => withoutNulls<SteerablePurchaseOrder>(row));
};

/**
 * Does an action to POs, each by itself and conditional on the state and epoch in which it was found, with
 * an entry of who did it and why. The workers go on from there.
 */
export const steer = async (
  pool: pg.Pool,
  action: SteerAction,
  pos: readonly SteerablePurchaseOrder[],
  by: { who: string; note?: string | undefined },
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
  plan: Extract<ReturnType<typeof planSteer>, { kind: 'plan' }>['plan'],
  by: { who: string; note?: string | undefined },
): Promise<SteerResult['outcome']> => {
  try {
    const { rows } = await pool.query(writeSql, [
      po.id,
      po.state,
      po.epoch,
      plan.state,
      plan.nextEpoch ? 1 : 0,
      plan.reason?.code ?? null,
      plan.reason?.text ?? null,
      JSON.stringify(plan.approvals ?? {}),
      plan.cancelling ?? false,
      plan.ownsAll ?? false,
      by.who,
      action,
      by.note ?? null,
    ]);
    return rows[0].steered === 1
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
