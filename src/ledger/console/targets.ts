import type pg from 'pg';
import type { ActionTarget } from '../../placing/action-target.ts';
import type { PurchaseOrderState } from '../../placing/types.ts';
import { withoutNulls } from '../nulls.ts';
import { targetColumns } from '../po/operator-actions.ts';
import { rowsOf } from '../query.ts';
import { type PoFilter, pageOfIds } from './po-filter.ts';
import { visibleAccounts } from './purchase-orders.ts';
import { iso } from './sql-parts.ts';

/** A PO that a person has chosen. */
export type ChosenPo = ActionTarget & {
  changedAt: string;
  /** When a person, or a bulk run for a person, last acted on it; null: never. */
  actedAt: string | null;
};

const chosenColumns = `${targetColumns}, ${iso('p.changed_at')} as "changedAt",
  (select ${iso('max(a.at)')} from operator_actions a where a.purchase_order_id = p.id) as "actedAt"`;

/** The POs with these ids that the reader may see. */
export const findChosen = async (
  pool: pg.Pool,
  ids: readonly string[],
  allowed: readonly string[] | null,
): Promise<ChosenPo[]> => {
  const { rows } = await pool.query({
    name: 'console-chosen',
    text: `select ${chosenColumns} from purchase_orders p
      where p.id = any($1::bigint[]) and ($2::text[] is null or p.account = any($2)) order by p.id`,
    values: [ids, allowed],
  });
  return rows.map((row) => withoutNulls<ChosenPo>(row));
};

/** The next matching POs of a run, oldest first, up to its last PO. */
export const listTargets = async (
  pool: pg.Pool,
  filter: PoFilter,
  page: { after: string; upTo: string; limit: number },
  allowed: readonly string[] | null,
): Promise<ChosenPo[]> => {
  const accounts = await visibleAccounts(pool, allowed);
  const { text, values } = pageOfIds(
    filter,
    { order: 'oldest', after: page.after, limit: page.limit },
    accounts,
    allowed === null,
  );
  const { rows } = await pool.query(
    `select ${chosenColumns} from (${text}) page join purchase_orders p on p.id = page.id
     where p.id <= $${values.length + 1}::bigint order by p.id`,
    [...values, page.upTo],
  );
  return rows.map((row) => withoutNulls<ChosenPo>(row));
};

/** The present state of a PO, and a person's last action on it; null: none. */
export interface PresentState {
  id: string;
  state: PurchaseOrderState;
  who: string | null;
  action: string | null;
  at: string | null;
}

/** The present states of these POs, to explain why an action did not apply. */
export const findPresentStates = (pool: pg.Pool, ids: readonly string[]): Promise<PresentState[]> =>
  rowsOf(pool, {
    name: 'console-present-states',
    text: `select distinct on (p.id) p.id::text, a.who, a.action, ${iso('a.at')} as at, p.state
      from purchase_orders p left join operator_actions a on a.purchase_order_id = p.id
      where p.id = any($1::bigint[]) order by p.id, a.id desc`,
    values: [ids],
  });
