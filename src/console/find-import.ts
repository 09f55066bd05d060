import type { FastifyRequest } from 'fastify';
import { readImport, type ShownImport } from '../ledger/console/imports.ts';
import type { ConsoleDeps } from './console-app.ts';
import { accountsOf } from './person.ts';
import { ConsoleProblem } from './problems.ts';

/** The problem for an unknown import, and for one of an account that the person may not see. */
export const noSuchImport = () =>
  new ConsoleProblem(
    'not_found',
    'No import was found at this address. It may belong to another account, or it was removed.',
  );

/**
 * The import that a request names.
 * @throws ConsoleProblem `not_found`, also for an import of an account that the person may not see
 */
export const findImport = async (
  pool: ConsoleDeps['pool'],
  request: FastifyRequest,
  importId: string,
): Promise<ShownImport> => {
  const found = await readImport(pool, importId, accountsOf(request));
  if (found) return found;
  throw noSuchImport();
};
