import type pg from 'pg';
import type { ActionTarget } from '../../placing/action-target.ts';
import { assignParts } from '../assigned.ts';
import { withParts } from './change.ts';
import type { ActionResult, Operator } from './operator-actions.ts';
import { actingOn, recordedAction } from './recorded-action.ts';

const assignSql = `${withParts({
  acted: 'select p.id, p.account, p.import_id from purchase_orders p where p.id = $1',
  ...assignParts('po'),
  ...recordedAction(`'assign'`, `'assignee', $6::text`),
})} select from acted`;

/** Assigns a PO to a person. The PO itself does not change. */
export const assignPo = async (
  pool: pg.Pool,
  { id, state }: ActionTarget,
  by: Operator,
): Promise<ActionResult['outcome']> => {
  await pool.query(assignSql, [...actingOn(id, by), by.assignee ?? null]);
  return { kind: 'done', state };
};
