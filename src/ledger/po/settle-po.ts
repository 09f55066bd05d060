import type pg from 'pg';
import type { ActionTarget } from '../../placing/action-target.ts';
import { isSettled } from '../purchase-order-sql.ts';
import { changePos, withParts } from './change.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import type { ActionResult, Operator } from './operator-actions.ts';
import { actingOn, recordedAction } from './recorded-action.ts';

/** What the person read must still be so: the alarm, and of a PO that failed the attempt. */
const asRead = (takesBack: boolean): string => `p.id = $1 and p.state = $7
    and (p.state not in ('failed', 'rejected') or p.run = $8)
    and ${takesBack ? isSettled('p') : `p.alarm is not distinct from $6 and not ${isSettled('p')}`}`;

const settleSql = (takesBack: boolean): string => {
  const { acted, ...follows } = changePos('acted', {
    by: 'settle',
    set: { alarm_settled_at: takesBack ? 'null' : 'clock_timestamp()' },
    where: asRead(takesBack),
    returning: 'p.state',
  });
  return `${withParts({
    acted: acted!,
    ...recordedAction(takesBack ? `'unsettle'` : `'settle'`, `'alarm', $6::text, 'known', $9::text`),
    ...follows,
  })} select from acted`;
};

/** Records that a person settles a PO as they read it, so that it needs nothing until something new happens; or that they undo this. */
export const settlePo = async (
  pool: pg.Pool,
  po: ActionTarget,
  what: { takesBack: boolean; alarm: string | undefined },
  by: Operator,
): Promise<ActionResult['outcome']> => {
  const { rowCount } = await pool.query(settleSql(what.takesBack), [
    ...actingOn(po.id, by),
    what.alarm ?? null,
    po.state,
    po.run,
    what.alarm ?? po.reasonText ?? po.reasonCode ?? null,
  ]);
  return rowCount === 1 ? { kind: 'done', state: po.state } : changedMeanwhile(pool, po.id);
};
