import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatisticsAnswer } from '../../src/api-contract/statistics.ts';
import { wrapWords } from '../../src/cli/output/show-text.ts';
import { drawStatistics } from '../../src/cli/output/statistics.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { countStatistics } from '../support/count-statistics.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { runCli } from './run-cli.ts';

let folder: string;
let drop: () => Promise<void>;
let run: (...args: string[]) => ReturnType<typeof runCli>;
const today = new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-statistics-'));
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 2, logger: silentLogger });
  await migrateLedger(pool);
  await writeFile(
    join(folder, 'cartwright.yaml'),
    'accounts: {north: {baseUrl: "http://127.0.0.1:1"}, south: {baseUrl: "http://127.0.0.1:2"}}\n',
  );
  run = (...args) => runCli(args, { cwd: folder, env: { DATABASE_URL: database.url } });
  for (const [account, total] of [
    ['north', '1234567.25'],
    ['south', '2'],
  ]) {
    const importId = await insertImport(pool, { account });
    const id = await insertPurchaseOrder(pool, importId, 'P', { account, state: 'ordered' });
    await insertRow(pool, 'orders', {
      ...{ account, purchase_order_id: id, po_number: 'P', order_number: 'S' },
      ...{ order_date: today, order_total: total },
    });
    await insertPurchaseOrder(pool, importId, 'H', { account, state: 'held', reason_code: 'backorder' });
  }
  await countStatistics(pool);
  await pool.end();
  drop = async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  };
});
afterAll(() => drop());

describe('cartwright statistics', () => {
  it('shows weeks with their sum and the reasons, and fits a terminal of 80 columns', async () => {
    const { exitCode, out } = await run('statistics');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Together +2 +0 +1,234,569 +0 % +0 +2 +0/);
    expect(out).toContain('held: 2 Some of its items are not in stock');
    const answer: StatisticsAnswer = JSON.parse((await run('statistics', '--by', 'day', '--json')).out);
    expect(answer.periods).toHaveLength(90);
    const terminal = {
      columns: 80,
      paint: (_: string, text: string) => text,
      wrap: (text: string, indent = 2) => wrapWords(text, 80, indent),
    };
    const large = { ...answer.total, orders: 1_234_567, pieces: 123_456_789, amount: '1234567890.12' };
    for (const line of drawStatistics(terminal, { ...answer, total: large }).split('\n'))
      expect([...line].length, line).toBeLessThanOrEqual(80);
  });

  it('shows one account, in months', async () => {
    const { out } = await run('statistics', '--account', 'south', '--months', '--by', 'month', '--json');
    const answer: StatisticsAnswer = JSON.parse(out);
    expect(answer.periods).toHaveLength(13);
    expect(answer.total).toMatchObject({ orders: 1, amount: '2', held: 1 });
  });

  it('writes the figures and the reasons into files, and never over another one', async () => {
    const file = join(folder, 'weeks.csv');
    expect((await run('statistics', '--out', file)).out).toBe(`Wrote the figures into ${file}.\n`);
    expect(await readFile(file, 'utf8')).toMatch(/^\ufefffrom,to,orders,.*\r\n/);
    expect((await run('statistics', '--out', file)).err).toContain('already exists');
    const reasons = join(folder, 'reasons.csv');
    await run('statistics', '--by', 'day', '--reasons', '--out', reasons);
    expect(await readFile(reasons, 'utf8')).toContain(`${today},held,backorder,`);
  });

  it.each([
    [['--by', 'year'], '--by must be one of day, week, month (got year).'],
    [['--within', '31'], '--within must be a number of days from 0 to 30 (got 31).'],
    [['--out', 'a.xlsx'], 'The name a.xlsx must end in .csv (--out).'],
    [['--reasons'], '--reasons says what --out writes.'],
    [['--account', 'nowhere'], 'nowhere'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { exitCode, err } = await run('statistics', ...args);
    expect(exitCode).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(sentence);
  });
});
