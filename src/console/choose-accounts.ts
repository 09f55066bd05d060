import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { visibleAccounts } from '../ledger/console/purchase-orders.ts';
import { accountsOf, maySee } from './person.ts';
import { ConsoleProblem } from './problems.ts';

/**
 * The account that a request names, or all that the person may see.
 * @throws ConsoleProblem `not_found` for one that neither the ledger nor the configuration has, or that the person may not see
 */
export const chooseAccounts = async (
  pool: pg.Pool,
  config: Pick<Config, 'accounts'>,
  request: FastifyRequest,
  chosen: string | undefined,
): Promise<string[]> => {
  const visible = await visibleAccounts(pool, accountsOf(request));
  if (chosen === undefined) return visible;
  const isConfigured = config.accounts.some(({ name }) => name === chosen);
  if (!visible.includes(chosen) && !(isConfigured && maySee(request, chosen)))
    throw new ConsoleProblem('not_found', 'No account was found under this name.');
  return [chosen];
};
