import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listFinishedImports } from '../../src/ledger/po/result-due.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

const take = async () => {
  const importId = await desk.take('due.csv', 'po,sku,qty\nD-1,A,1\n');
  await desk.set(importId, 'D-1', { state: 'held', reason_code: 'backorder' });
  return importId;
};

/** Marks a result as due, like placing and tracking after a change. */
const change = (importId: string, client: { query: ReportDesk['pool']['query'] } = desk.pool) =>
  client.query(
    `with moved as (update purchase_orders set state = 'ordered' where import_id = $1 returning import_id)
     update imports i set result_due = true from moved m where i.id = m.import_id and not i.result_due`,
    [importId],
  );
const isDue = async (importId: string) => {
  const { rows } = await desk.pool.query('select distinct account from imports');
  const accounts = rows.map(({ account }) => account);
  return (await listFinishedImports(desk.pool, 1000, accounts)).includes(importId);
};

test('a result is written once, and again when its content has changed', async () => {
  const importId = await take();
  expect(await isDue(importId)).toBe(true);
  expect(await desk.write(importId)).toEqual({ kind: 'written', path: `results/due.${importId}.result.csv` });
  expect(await isDue(importId)).toBe(false);
  expect(await desk.write(importId)).toEqual({ kind: 'current' });
  await change(importId);
  expect(await isDue(importId)).toBe(true);
  const { kind } = await desk.write(importId);
  expect(kind).toBe('written');
  expect(await readFile(join(desk.folder, `results/due.${importId}.result.csv`), 'utf8')).toMatch(
    /D-1,A,1,ordered/,
  );
});

test('a change during the write leaves the result due; the result shows one consistent state', async () => {
  const importId = await take();
  const written = await desk.write(importId, { checkpoint: async () => void (await change(importId)) });
  expect(written.kind).toBe('written');
  expect(await readFile(join(desk.folder, `results/due.${importId}.result.csv`), 'utf8')).toMatch(
    /D-1,A,1,held/,
  );
  expect(await isDue(importId)).toBe(true);
});

test('a change that read the ledger before the write started and commits afterwards is not missed', async () => {
  const importId = await take();
  await desk.write(importId);
  await desk.pool.query('update imports set result_due = true where id = $1', [importId]);
  const mover = await desk.pool.connect();
  // Locks the PO's row, so that the writer below has read the ledger and waits.
  const holder = await desk.pool.connect();
  await holder.query('begin');
  await holder.query('select from purchase_orders where import_id = $1 for update', [importId]);
  const changing = change(importId, mover);
  for (;;) {
    const { rowCount } = await desk.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'with moved as%' and datname = current_database()`,
    );
    if (rowCount === 1) break;
  }
  // Released once the writer waits for the lock, or has finished without waiting.
  const asked = vi.spyOn(desk.pool, 'query');
  let through = false;
  const writing = desk.write(importId, {
    checkpoint: async () => {
      through = true;
    },
  });
  const lockChecks = () => asked.mock.calls.filter(([sql]) => String(sql).includes('pg_locks')).length;
  while (!through && lockChecks() < 2) await nextTurn();
  asked.mockRestore();
  await holder.query('commit');
  await changing;
  holder.release();
  mover.release();
  expect((await writing).kind).toBe('written');
  expect(await readFile(join(desk.folder, `results/due.${importId}.result.csv`), 'utf8')).toMatch(
    /D-1,A,1,ordered/,
  );
});

test('a failed write leaves the earlier result whole, no temporary file, and the result due', async () => {
  const importId = await take();
  await desk.write(importId);
  const path = join(desk.folder, `results/due.${importId}.result.csv`);
  const before = await readFile(path);
  await change(importId);
  const failing = desk.write(importId, {
    checkpoint: async () => {
      throw new Error('no space left');
    },
  });
  await expect(failing).rejects.toThrow('no space left');
  expect(await readFile(path)).toEqual(before);
  expect((await readdir(join(desk.folder, 'results'))).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(await isDue(importId)).toBe(true);
  expect((await desk.write(importId)).kind).toBe('written');
});

test('of two writers of one result, one writes and the other reports that it did not', async () => {
  const importId = await take();
  let second: unknown;
  const first = await desk.write(importId, {
    checkpoint: async () => {
      second ??= await desk.write(importId, { force: true });
    },
  });
  expect(first.kind).toBe('written');
  expect(second).toEqual({ kind: 'busy' });
});

test('a truncated, damaged or missing private copy is an error, never a result with fewer rows', async () => {
  const importId = await take();
  const { rows } = await desk.pool.query('select file_path from imports where id = $1', [importId]);
  const copy = join(desk.folder, rows[0].file_path);
  for (const content of ['po,sku,qty\n', 'po,sku,qty\nD-1,A,1\nD-1,B,1\n', 'po,sku,qty\n"\n', '']) {
    await writeFile(copy, content);
    await expect(desk.write(importId)).rejects.toThrow(/private copy .* has changed since the import/);
  }
  await rm(copy);
  await expect(desk.write(importId)).rejects.toThrow(/ENOENT/);
  expect(await isDue(importId)).toBe(true);
});

test('an import that the ledger does not know has no result', async () => {
  expect(await desk.write('999999')).toEqual({ kind: 'unknown' });
});
