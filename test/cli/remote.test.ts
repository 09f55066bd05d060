import { afterAll, beforeAll, expect, test } from 'vitest';
import { newToken } from '../../src/console/access/secrets.ts';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { addToken } from '../../src/ledger/console/tokens.ts';
import { useConsole } from '../console/use-console.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { runCli } from './run-cli.ts';

const use = useConsole();
let console: ListeningConsole;
let token: string;

beforeAll(async () => {
  const { pool } = use.deps;
  console = await listenConsole(use.deps);
  const { secret, hash } = newToken();
  token = secret;
  await addToken(
    pool,
    { name: 'ops', role: 'operator', accounts: null, tokenHash: hash, days: null },
    { who: 'ops', via: 'command line' },
  );
  const importId = await insertImport(pool, { account: 'default' });
  const held = {
    account: 'default',
    state: 'held',
    reason_code: 'was_cancelled',
    reason_text: 'It was cancelled.',
  };
  await insertPurchaseOrder(pool, importId, 'R-1', held);
});
afterAll(() => console.stop());

const cli = (args: string[], env: NodeJS.ProcessEnv = { CARTWRIGHT_API_TOKEN: token }) =>
  runCli(args, { cwd: '/', env });

test('status of a running console: what needs a person, and the state of one PO', async () => {
  const all = await cli(['status', '--url', console.url]);
  expect(all.exitCode).toBe(0);
  expect(all.out).toContain('was_cancelled');
  const one = await cli(['status', 'R-1', '--url', console.url]);
  expect(one.exitCode).toBe(0);
  expect(one.out).toContain('default: PO R-1 is held');
  expect((await cli(['status', 'R', '--url', console.url])).err).toContain('No PO R was found');
});

test('without a token, with a wrong one, and where no console answers, it says what to do', async () => {
  const none = await cli(['status', '--url', console.url], {});
  expect(none.err).toContain('Set CARTWRIGHT_API_TOKEN');
  const wrong = await cli(['status', '--url', console.url], { CARTWRIGHT_API_TOKEN: 'guessed' });
  expect(wrong.err).toContain('The token is not valid');
  const gone = await cli(['status', '--url', 'http://127.0.0.1:1']);
  expect(gone.exitCode).toBe(3);
  expect(gone.err).toContain('Cannot reach the console at http://127.0.0.1:1');
});
