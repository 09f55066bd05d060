import type pg from 'pg';
import type { ActionTarget } from '../../placing/action-target.ts';
import { type OperatorAction, statesFor } from '../../placing/operator-actions.ts';
import { poKeyOf } from '../po-key.ts';
import { meantFirst } from '../purchase-order-sql.ts';
import { columnOf, rowsOf } from '../query.ts';
import { targetColumns } from './operator-actions.ts';

/** The reason codes of the POs that an action is offered for, for messages. */
export const listReasonCodes = (
  pool: pg.Pool,
  action: OperatorAction,
  account: string | undefined,
): Promise<string[]> =>
  columnOf(
    pool,
    `select distinct reason_code as code from purchase_orders
     where state = any($1) and reason_code is not null and ($2::text is null or account = $2) order by 1`,
    [statesFor(action), account ?? null],
  );

/** The order and the quote that a person means by a PO number, for messages: the live one, otherwise the latest, in any state. */
export const findMeant = (
  pool: pg.Pool,
  { account = null, poNumber }: { account?: string | null | undefined; poNumber: string },
): Promise<ActionTarget[]> =>
  rowsOf<ActionTarget>(
    pool,
    `select distinct on (p.account, p.quote_only) ${targetColumns}
     from purchase_orders p
     where ($1::text is null or p.account = $1) and p.po_key = $2 and p.po_number = $3
     order by p.account, p.quote_only, ${meantFirst('p')}`,
    [account, poKeyOf(poNumber), poNumber],
  );
