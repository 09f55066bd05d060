import { afterAll, beforeAll, expect, test } from 'vitest';
import { createConsoleWork } from '../../src/cli/console-work.ts';
import { newToken } from '../../src/console/access/secrets.ts';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { addToken } from '../../src/ledger/console/tokens.ts';
import { beat } from '../../src/ledger/workers.ts';
import { silentLogger } from '../../src/logger.ts';
import type { Runtime } from '../../src/worker/open-runtime.ts';
import { type BulkRunner, startBulkRuns, wakeBulkRuns } from '../../src/worker/run-bulk.ts';
import { useConsole } from '../console/use-console.ts';
import { countStatistics } from '../support/count-statistics.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { runCli } from './run-cli.ts';

const started: string[] = [];
const use = useConsole({
  work: {
    continueBulkRuns: () => wakeBulkRuns(use.deps.pool),
    runNow: async (kind, account) => void started.push(`${kind} ${account}`),
    // The runtime's own check; it uses nothing else of a runtime.
    findProblems: (...asked) => {
      const { config, pool } = use.deps;
      return createConsoleWork({ config, ledger: { pool } } as Runtime).findProblems(...asked);
    },
  },
});
let console: ListeningConsole;
let token: string;
let importId: string;
let runner: BulkRunner;
const held = {
  account: 'default',
  state: 'held',
  reason_code: 'was_cancelled',
  reason_text: 'It was cancelled.',
};

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
  importId = await insertImport(pool, { account: 'default' });
  await insertPurchaseOrder(pool, importId, 'R-1', held);
  await pool.query(
    `insert into lines (import_id, row_number, po_number, po_key, item_sku, quantity) values ($1, 2, 'R-1', 'r-1', 'SKU-REMOTE', 7)`,
    [importId],
  );
  runner = startBulkRuns({
    pool,
    logger: silentLogger,
    fillAccounts: async () => {},
    writeDueResults: async () => {},
  });
});
afterAll(async () => {
  await runner.stop();
  await console.stop();
});

const cli = (args: string[], env: NodeJS.ProcessEnv = { CARTWRIGHT_API_TOKEN: token }) =>
  runCli(args, { cwd: '/', env });

test('status of a running console: what needs a person, and the state of one PO', async () => {
  const all = await cli(['status', '--url', console.url]);
  expect(all.exitCode).toBe(0);
  expect(all.out).toContain('was_cancelled');
  const one = await cli(['status', 'R-1', '--url', console.url]);
  expect(one.exitCode).toBe(0);
  expect(one.out).toContain(`R-1  held  account default, import ${importId} (orders.csv, row 2)`);
  expect(one.out).toMatch(/ *2 {2}SKU-REMOTE +7/);
  expect((await cli(['status', 'R', '--url', console.url])).err).toContain('No PO R was found');
});

test('statistics of a running console, in a table and as a file', async () => {
  await countStatistics(use.deps.pool);
  const shown = await cli(['statistics', '--months', '--by', 'month', '--url', console.url]);
  expect(shown.out).toContain('Together');
  expect(shown.out).toMatch(/held: \d+ /);
  const wrong = await cli(['statistics', '--account', 'nowhere', '--url', console.url, '--json']);
  expect(wrong.exitCode).not.toBe(0);
  expect(wrong.out + wrong.err).toContain('No account was found under this name.');
});

test.each([
  [['release', '--reason', 'on_hold', '--account', 'nowhere'], 'The console has no account nowhere'],
  [['release', 'R-1', '--account', 'nowhere'], 'The console has no account nowhere'],
  [['status', 'R-1', '--account', 'nowhere'], 'The console has no account nowhere'],
  [['release', '--import', '999999'], 'Import 999999: No import was found'],
  [['release', 'R-1', '--import', '999999'], 'Import 999999: No import was found'],
  [['settle', '--import', '999999'], 'Import 999999: No import was found'],
])('%j names what the console does not have', async (args, named) => {
  const { exitCode, err } = await cli([...args, '--url', console.url]);
  expect(exitCode).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain(named);
});

test('--check lists held POs as a problem and exits as without --url; another account has none', async () => {
  const { pool } = use.deps;
  await insertImport(pool, { account: 'empty', sha256: 'none' });
  const id = '00000000-0000-4000-8000-0000000000aa';
  const places = { places: ['default'], reads: ['default'], slots: 1 };
  await beat(pool, { id, host: 'test', pid: 1, ...places, troubles: {} });
  const args = ['status', '--check', '--url', console.url];
  const checked = await cli([...args, '--account', 'default', '--json']);
  expect(checked.exitCode).toBe(5);
  expect(JSON.parse(checked.out)).toMatchObject({
    healthy: false,
    problems: [{ code: 'held', account: 'default', message: expect.stringContaining('1 PO held.') }],
  });
  const said = await cli(args);
  expect(said).toMatchObject({ exitCode: 5, out: expect.stringContaining('1 PO held. 1 as was_cancelled') });
  const other = await cli([...args, '--account', 'empty']);
  expect(other).toMatchObject({ exitCode: 0, out: 'Healthy.\n' });
  const unknown = await cli([...args, '--account', 'nobody']);
  expect(unknown.err).toContain('No account was found');
  await pool.query('delete from workers');
  await pool.query(`delete from imports where account = 'empty'`);
});

test('without a token, with a wrong one, and where no console answers, it says what to do', async () => {
  const none = await cli(['status', '--url', console.url], {});
  expect(none.err).toContain('Set CARTWRIGHT_API_TOKEN');
  const wrong = await cli(['status', '--url', console.url], { CARTWRIGHT_API_TOKEN: 'guessed' });
  expect(wrong.err).toContain('The token is not valid');
  const withPassword = await cli(['status', '--url', console.url.replace('//', '//ann:hush-hush@')]);
  expect(withPassword).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining('must not contain a user name'),
  });
  expect(withPassword.out + withPassword.err).not.toContain('hush-hush');
  const gone = await cli(['status', '--url', 'http://127.0.0.1:1']);
  expect(gone.exitCode).toBe(3);
  expect(gone.err).toContain('Cannot reach the console at http://127.0.0.1:1');
});

const actions = async () =>
  (
    await use.deps.pool.query(
      `select action, who, via, note from operator_actions where action !~ '^token' order by id`,
    )
  ).rows;
const stateOf = async (poNumber: string) =>
  (await use.deps.pool.query('select state from purchase_orders where po_number = $1', [poNumber])).rows[0]
    .state;
const by = { who: 'token ops', via: 'api' };

test('POs are decided by number: confirmed, done with the note, and refused where the rules are against it', async () => {
  const { pool } = use.deps;
  await insertPurchaseOrder(pool, importId, 'R-2', held);
  await insertPurchaseOrder(pool, importId, 'R-20', held);
  const url = ['--url', console.url];
  const unconfirmed = await cli(['release', 'R-2', ...url]);
  expect([unconfirmed.exitCode, unconfirmed.err]).toEqual([2, expect.stringContaining('--yes')]);
  expect(await stateOf('R-2')).toBe('held');
  const done = await cli(['release', 'R-2', 'R-9', '--note', 'agreed', '--yes', ...url]);
  expect(done.out).toContain('PO R-9 was not found.');
  expect(done.out).toContain('Released 1 PO.');
  expect(done.exitCode).toBe(1);
  expect([await stateOf('R-2'), await stateOf('R-20')]).toEqual(['ready', 'held']);
  expect(await actions()).toEqual([{ action: 'release', note: 'agreed', ...by }]);
  const again = await cli(['retry', 'R-2', '--yes', ...url]);
  expect([again.exitCode, again.out]).toEqual([
    1,
    expect.stringContaining('Not possible: R-2: It is waiting to be placed now. Not done:'),
  ]);
  const json = await cli(['cancel', 'R-20', '--yes', '--json', ...url]);
  expect(JSON.parse(json.out).results).toMatchObject([{ poNumber: 'R-20', done: true }]);
});

test('all POs of an import are decided by a run of the console that the command follows', async () => {
  const { pool } = use.deps;
  const many = await insertImport(pool, { account: 'default', sha256: 'many' });
  for (let n = 0; n < 12; n += 1) await insertPurchaseOrder(pool, many, `M-${n}`, held);
  // Owned by a process that does not finish it, so it is still running when the command asks.
  await pool.query(
    `insert into bulk_runs (action, filter, who, via, state, expected, up_to_id, runner, runner_until)
     values ('release', $1, 'maria', 'console', 'running', 12, 0, gen_random_uuid(), now() + interval '1 hour')`,
    [{ importId: many }],
  );
  const all = await cli(['cancel', '--import', many, '--yes', '--url', console.url]);
  expect(all.out.replace(/\s+/g, ' ')).toMatch(/still running, started by maria: Release POs .*import \d+/);
  expect(all.out).toContain(`Cancel 12 POs in import ${many}.`);
  expect(all.out).toContain('12 of 12 POs changed.');
  expect(all.exitCode).toBe(0);
  const none = await cli(['release', '--import', many, '--yes', '--url', console.url]);
  expect([none.exitCode, none.out.trim()]).toEqual([1, 'No matching PO is held.']);
});

test('what failed and what was refused is settled and taken back through a console', async () => {
  const { pool } = use.deps;
  const url = ['--url', console.url];
  const file = { account: 'default', state: 'refused', sha256: 'refused remotely', file_name: 'no.csv' };
  const refused = await insertImport(pool, file);
  const into = await insertImport(pool, { account: 'default', sha256: 'failed remotely' });
  const failed = { account: 'default', state: 'failed', reason_code: 'refused_by_service' };
  for (const number of ['SET-1', 'SET-2']) await insertPurchaseOrder(pool, into, number, failed);
  const settled = async () =>
    (
      await pool.query(
        `select po_number from purchase_orders where alarm_settled_at is not null
         union all select file_name from imports where settled_at is not null order by 1`,
      )
    ).rows.map(({ po_number }) => po_number);
  const one = await cli(['settle', 'SET-1', '--yes', ...url]);
  expect([one.exitCode, one.out]).toEqual([0, expect.stringContaining('Marked 1 PO as not needed.')]);
  const all = await cli(['settle', '--import', into, '--yes', ...url]);
  expect([all.exitCode, all.out]).toEqual([0, expect.stringContaining('1 of 1 PO changed.')]);
  const own = await cli(['settle', '--import', refused, '--yes', ...url]);
  expect([own.exitCode, own.out.trim()]).toEqual([0, 'Marked the refused file no.csv as not needed.']);
  expect(await settled()).toEqual(['SET-1', 'SET-2', 'no.csv']);
  expect((await cli(['settle', '--import', refused, '--yes', ...url])).exitCode).toBe(1);
  await cli(['unsettle', '--import', refused, '--yes', ...url]);
  await cli(['unsettle', '--import', into, '--yes', ...url]);
  expect(await settled()).toEqual([]);
});

test('accounts are paused and resumed, and their tasks listed and run now', async () => {
  const { pool } = use.deps;
  const url = ['--url', console.url];
  const idle = await cli(['poll', '--account', 'default', ...url]);
  expect([idle.exitCode, idle.out]).toEqual([1, expect.stringContaining('No running worker')]);
  const id = '00000000-0000-4000-8000-0000000000bb';
  await beat(pool, { id, host: 'test', pid: 1, places: ['default'], reads: ['default'], troubles: {} });
  expect((await cli(['poll', ...url])).out).toContain('The order statuses of default are fetched now.');
  expect((await cli(['report', '--account', 'default', ...url])).exitCode).toBe(0);
  expect((await cli(['schedule', 'run', 'default/takeFiles', ...url])).exitCode).toBe(0);
  expect(started).toEqual(['poll default', 'report default', 'take_files default']);
  expect((await cli(['report', '--from', '2026-11-01', ...url])).exitCode).toBe(2);
  const paused = await cli(['accounts', 'pause', 'default', '--note', 'stocktaking', ...url]);
  expect(paused.out).toContain('default is paused');
  const twice = await cli(['accounts', 'pause', 'default', ...url]);
  expect([twice.exitCode, twice.err]).toEqual([1, expect.stringContaining('paused already')]);
  expect((await cli(['accounts', 'resume', 'default', ...url])).exitCode).toBe(0);
  expect((await cli(['accounts', 'pause', 'nobody', ...url])).err).toContain('No account was found');
  expect((await actions()).slice(-2)).toEqual([
    { action: 'pause_account', note: 'stocktaking', ...by },
    { action: 'resume_account', note: null, ...by },
  ]);
});
