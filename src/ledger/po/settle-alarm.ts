import type pg from 'pg';
import type { ActionTarget } from '../../placing/operator-actions.ts';
import { hasOpenAlarm } from '../purchase-order-sql.ts';
import { changePos, withParts } from './change.ts';
import type { ActionResult, Operator } from './operator-actions.ts';
import { recordedAction } from './recorded-action.ts';

const { acted, ...follows } = changePos('acted', {
  by: 'settle',
  set: { alarm_settled_at: 'clock_timestamp()' },
  where: `p.id = $1 and p.alarm = $2 and ${hasOpenAlarm('p')}`,
  returning: 'p.state',
});
const settleSql = `${withParts({
  before: 'select changed_at from purchase_orders where id = $1',
  acted: acted!,
  ...recordedAction({
    who: '$3',
    action: `'settle'`,
    note: '$4',
    via: '$5',
    bulkRun: '$6',
    detail: `'alarm', $2::text`,
  }),
  ...follows,
})} select from acted`;

/**
 * Records that a person has settled the alarm of a PO as they read it: it counts no more until it changes, which makes it a new one.
 */
export const settleAlarm = async (
  pool: pg.Pool,
  { id, state }: ActionTarget,
  alarm: string,
  by: Operator,
): Promise<ActionResult['outcome']> => {
  const { rowCount } = await pool.query(settleSql, [
    id,
    alarm,
    by.who,
    by.note ?? null,
    by.via ?? 'command line',
    by.bulkRunId ?? null,
  ]);
  return rowCount === 1
    ? { kind: 'done', state }
    : { kind: 'not_possible', why: 'its alarm has changed meanwhile; look at it again' };
};
