import { byId, done, newToken, newTokenBody, type Token, tokenList } from '../../api-contract/access.ts';
import { addToken, listTokens, revokeToken, type TokenRow } from '../../ledger/console/tokens.ts';
import { newToken as createToken } from '../access/secrets.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { refuseUnknownAccounts } from '../known-accounts.ts';
import { actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { admin, route } = routesOf('Tokens');

const present = (row: TokenRow): Token => ({ ...row, accounts: row.accounts ?? 'all' });

/** Adds the management of API tokens. */
export const addTokenRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool } = deps;
  app.get('/tokens', admin('All API tokens', tokenList), async () => ({
    items: (await listTokens(pool)).map(present),
  }));

  app.post(
    '/tokens',
    route('admin', 'Make an API token', {
      description: 'The answer shows the token, which cannot be shown again.',
      body: newTokenBody,
      response: { 201: newToken },
    }),
    async (request, reply) => {
      const { name, role, accounts, days } = request.body;
      await refuseUnknownAccounts(deps, accounts);
      const { secret, hash } = createToken();
      const row = await addToken(
        pool,
        { name, role, accounts: accounts === 'all' ? null : accounts, tokenHash: hash, days },
        actorOf(request),
      );
      return reply.code(201).send({ ...present(row), secret });
    },
  );

  app.delete('/tokens/:id', admin('Revoke an API token', done, { params: byId }), async (request) => {
    if (!(await revokeToken(pool, request.params.id, actorOf(request)))) {
      throw new ConsoleProblem('not_found', 'There is no such token; somebody may have revoked it.');
    }
    return { done: true as const };
  });
};
