import type pg from 'pg';
import { expect, test } from 'vitest';
import { countOldRows } from '../../src/ledger/retention.ts';
import { pruneAccount } from '../../src/worker/prune.ts';
import { insertImport, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const linesOfImport = 400;

const addOldImport = async (account: string): Promise<string> => {
  const id = await insertImport(ledger.pool, { account, state: 'read', sha256: account });
  await ledger.pool.query(
    `update imports set taken_at = now() - interval '9 days', read_at = now() - interval '9 days' where id = $1`,
    [id],
  );
  await ledger.pool.query(
    `insert into lines (import_id, row_number, po_number, item_sku, quantity)
     select $1, n, 'P-1', 'SKU-1', 1 from generate_series(1, $2::int) n`,
    [id, linesOfImport],
  );
  return id;
};

/** The statements sent on the pool's connections while work runs. */
const statementsOf = async (work: (pool: pg.Pool) => Promise<unknown>): Promise<string[]> => {
  const texts: string[] = [];
  const { pool } = ledger;
  const hear = (client: pg.PoolClient) => {
    const { query } = client;
    client.query = ((first: string | { text: string }, ...rest: unknown[]) => {
      texts.push(typeof first === 'string' ? first : first.text);
      return (query as (...args: unknown[]) => unknown).call(client, first, ...rest);
    }) as typeof query;
    return () => {
      client.query = query;
    };
  };
  const restores: (() => void)[] = [];
  const onAcquire = (client: pg.PoolClient) => void restores.push(hear(client));
  pool.on('acquire', onAcquire);
  await work(pool);
  pool.off('acquire', onAcquire);
  for (const restore of restores.toReversed()) restore();
  return texts;
};

const before = new Date(Date.now() - 86_400_000);

test('removing rows reads no more of them at once than a step may, and says how many and how large they were', async () => {
  await addOldImport('steps');
  await ledger.pool.query('analyze lines');
  const account = { name: 'steps' };
  const ages = { files: null, rows: 86_400_000 };
  const folder = { kind: 'elsewhere', message: 'It is not needed.' };
  let pruned: unknown;
  const texts = await statementsOf(async (pool) => {
    const options = { pool, now: new Date(), dryRun: false, isStopping: () => false };
    pruned = await pruneAccount({ account, folder } as never, ages, options);
  });
  expect(pruned).toEqual([
    { account: 'steps', kind: 'rows', count: linesOfImport, bytes: expect.any(Number) },
    { account: 'steps', kind: 'changes', count: 0, bytes: 0 },
  ]);
  expect((pruned as { bytes: number }[])[0]!.bytes).toBeGreaterThan(linesOfImport);
  expect(texts.some((text) => text.includes('delete from lines'))).toBe(true);
  // The lines' part of the statistics is read once for each import.
  const counting = texts.filter((text) => /count\(/.test(text) && !/delete from|daily_statistics/.test(text));
  expect(counting).toEqual([]);
});

test('of a table with few rows the size of the rows counts, not that of its pages', async () => {
  await ledger.pool.query('truncate lines cascade');
  await addOldImport('few');
  for (const analyze of [false, true]) {
    if (analyze) await ledger.pool.query('analyze lines');
    const { bytes } = await countOldRows(ledger.pool, 'few', before);
    expect(bytes).toBeGreaterThan(linesOfImport * 50);
    expect(bytes).toBeLessThan(linesOfImport * 1000);
  }
});

test('counting old rows leaves the other processors to placing', async () => {
  await addOldImport('counted');
  const texts = await statementsOf((pool) => countOldRows(pool, 'counted', before));
  const serial = texts.indexOf('set local max_parallel_workers_per_gather = 0');
  expect(serial).toBeGreaterThan(-1);
  expect(texts.findIndex((text) => text.includes('count(*)'))).toBeGreaterThan(serial);
  expect(await countOldRows(ledger.pool, 'counted', before)).toMatchObject({ count: linesOfImport });
});
