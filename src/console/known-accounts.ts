import type { FastifyRequest } from 'fastify';
import { listKnownAccounts, visibleAccounts } from '../ledger/console/purchase-orders.ts';
import type { ConsoleDeps } from './console-app.ts';
import { accountsOf } from './person.ts';
import { ConsoleProblem } from './problems.ts';

type Deps = Pick<ConsoleDeps, 'pool' | 'config'>;

/** The accounts of the configuration and of the ledger, which may have work of accounts no longer configured. */
const knownAccounts = async ({ pool, config }: Deps): Promise<ReadonlySet<string>> =>
  new Set([...config.accounts.map(({ name }) => name), ...(await listKnownAccounts(pool))]);

/**
 * The known accounts that the request may see, or the one that it names, sorted.
 * @throws ConsoleProblem `not_found` for a name that does not exist for it
 */
export const chosenAccounts = async (
  deps: Deps,
  request: FastifyRequest,
  named: string | undefined,
): Promise<string[]> => {
  const allowed = accountsOf(request);
  const visible = [...(await knownAccounts(deps))].filter((name) => allowed?.includes(name) ?? true).sort();
  if (named === undefined) return visible;
  if (!visible.includes(named))
    throw new ConsoleProblem('not_found', 'No account was found under this name.');
  return [named];
};

/** The same; without a named account, only accounts with data in the ledger. */
export const accountsWithWork = (
  deps: Deps,
  request: FastifyRequest,
  named: string | undefined,
): Promise<string[]> =>
  named === undefined
    ? visibleAccounts(deps.pool, accountsOf(request))
    : chosenAccounts(deps, request, named);

/** @throws ConsoleProblem `invalid` for rights to an unknown account, because nobody would notice a misspelt name. */
export const refuseUnknownAccounts = async (
  deps: Deps,
  accounts: 'all' | readonly string[] | undefined,
): Promise<void> => {
  if (accounts === undefined || accounts === 'all') return;
  const known = await knownAccounts(deps);
  const unknown = accounts.filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  const detail = `There is no account ${unknown.join(', ')}. There are ${[...known].sort().join(', ')}.`;
  throw new ConsoleProblem('invalid', detail, { errors: [{ field: 'accounts', detail }] });
};
