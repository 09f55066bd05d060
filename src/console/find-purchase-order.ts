import type { FastifyRequest } from 'fastify';
import { findRowsOf } from '../ledger/console/purchase-order.ts';
import type { ConsoleDeps } from './console-app.ts';
import { accountsOf } from './person.ts';
import { ConsoleProblem } from './problems.ts';

/** The problem for an unknown PO, and for one of an account that the person may not see. */
export const noSuchPo = () =>
  new ConsoleProblem(
    'not_found',
    'No purchase order was found at this address. It may belong to another account, or it was removed.',
  );

/**
 * The rows of the PO that a request names.
 * @throws ConsoleProblem `not_found`
 */
export const findPoRows = async (pool: ConsoleDeps['pool'], request: FastifyRequest, id: string) => {
  const found = await findRowsOf(pool, id, accountsOf(request));
  if (!found) throw noSuchPo();
  return found;
};
