import type { FastifyRequest } from 'fastify';
import { findRowsOf } from '../ledger/console/purchase-order.ts';
import type { ConsoleDeps } from './console-app.ts';
import { accountsOf } from './person.ts';
import { ConsoleProblem } from './problems.ts';

/** Of an address with a PO that does not exist, also for a person who may not see its account. */
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
