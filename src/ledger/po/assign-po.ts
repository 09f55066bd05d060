import type pg from 'pg';
import type { ActionTarget } from '../../placing/action-target.ts';
import { assignParts } from '../assigned.ts';
import { withParts } from './change.ts';
import type { ActionResult, Operator } from './operator-actions.ts';
import { recordedAction } from './recorded-action.ts';

const assignSql = `${withParts({
  acted: 'select p.id, p.account, p.import_id from purchase_orders p where p.id = $1',
  ...assignParts('po', 'acted', '$2'),
  ...recordedAction({
    who: '$3',
    action: `'assign'`,
    note: '$4',
    via: '$5',
    bulkRun: '$6',
    detail: `'assignee', $2::text`,
  }),
})} select from acted`;

/** Records who takes care of a PO. The PO itself does not change. */
export const assignPo = async (
  pool: pg.Pool,
  { id, state }: ActionTarget,
  by: Operator,
): Promise<ActionResult['outcome']> => {
  await pool.query(assignSql, [
    id,
    by.assignee ?? null,
    by.who,
    by.note ?? null,
    by.via ?? 'command line',
    by.bulkRunId ?? null,
  ]);
  return { kind: 'done', state };
};
