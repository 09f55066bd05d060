import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { readPurchaseOrdersNamed } from '../../src/ledger/console/purchase-order.ts';
import { countImports } from '../../src/ledger/import-counts.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, questionsOf, statesOf, answer, done } = desk;

const pool = () => desk.use.deps.pool;
const countsOf = async (importId: string) => (await countImports(pool(), [importId]))[0]!.counts;
const needing = async (poNumber: string) => {
  const { items } = await done<{ items: { importId: string; state: string }[] }>(
    'GET',
    `/purchase-orders?needs=settling&po=${poNumber}`,
  );
  return items.map(({ importId, state }) => `${state} in ${importId}`);
};
const order = (importId: string) =>
  pool().query(`update purchase_orders set state = 'ordered' where import_id = $1 and state = 'ready'`, [
    importId,
  ]);

describe('a PO that was ordered and comes again in a row with an issue', () => {
  test('counts as rejected there, and a person is asked; the order stays', async () => {
    const file = newKind();
    const first = await drop('1.csv', file('T-1,S1,5,,Open'));
    await order(first.importId);
    const later = await drop('2.csv', file('T-1,S1,many,,Open', 'T-2,S1,1,,Open'));
    expect(await countsOf(later.importId)).toEqual({ rejected: 1, ready: 1 });
    expect(await needing('T-1')).toEqual([`rejected in ${later.importId}`]);
    const [po] = await readPurchaseOrdersNamed(pool(), 'T-1', 'north');
    expect(po).toMatchObject({ importId: first.importId, state: 'ordered' });
  });

  test('is not asked about where another file corrected the same before', async () => {
    const file = newKind();
    const night = await drop('1.csv', file('U-0,S1,1,,Open', 'U-1,S1,many,,Open'));
    expect(await needing('U-1')).toEqual([`rejected in ${night.importId}`]);
    const corrected = await drop('2.csv', file('U-1,S1,5,,Open'));
    await order(corrected.importId);
    const same = await drop('3.csv', file('U-2,S1,1,,Open', 'U-1,S1,many,,Open'));
    const again = await drop('4.csv', file('U-3,S1,1,,Open', 'U-1,S1,many,,Open'));
    for (const { importId } of [night, same, again]) expect(await countsOf(importId)).toEqual({ ready: 1 });
    expect(await needing('U-1')).toEqual([]);
    const reasons = await pool().query(
      'select reason_text as why from purchase_orders where po_number = $1',
      ['U-1'],
    );
    expect(
      reasons.rows.filter(({ why }) => /The same was corrected before: nothing more is needed\.$/.test(why)),
    ).toHaveLength(2);
    const other = await drop('5.csv', file('U-4,S1,1,,Open', 'U-1,S1,few,,Open'));
    expect(await needing('U-1')).toEqual([`rejected in ${other.importId}`]);
  });

  test('is asked about, and what was corrected is held, while that is not submitted', async () => {
    const file = newKind();
    await drop('1.csv', file('X-0,S1,1,,Open', 'X-1,S1,0,,Open'));
    const corrected = await drop('2.csv', file('X-1,S1,5,,Open'));
    const again = await drop('3.csv', file('X-2,S1,1,,Open', 'X-1,S1,0,,Open'));
    expect(await statesOf(corrected.importId)).toEqual(['X-1 held on_hold 1 lines']);
    expect(await needing('X-1')).toContain(`rejected in ${again.importId}`);
  });

  test('is not corrected by an older file that is read again', async () => {
    const file = newKind();
    const first = await drop('1.csv', file('Z-1,S1,5,,Open'));
    const zero = await drop('2.csv', file('Z-1,S1,0,,Open', 'Z-2,S1,1,,Open'));
    const draft = await done<UploadAnswer>('POST', `/imports/${first.importId}/reread`, {});
    const again = await desk.confirm(draft.upload.id);
    expect(await desk.read(again.upload.importId)).toHaveLength(1);
    expect(await statesOf(zero.importId)).toContain('Z-1 rejected row_issues 1 lines');
    await pool().query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
      again.upload.importId,
    ]);
    const third = await drop('3.csv', file('Z-1,S1,0,,Open', 'Z-3,S1,1,,Open'));
    expect(await needing('Z-1')).toEqual([`rejected in ${third.importId}`]);
  });

  test('is asked about where what was corrected has failed since', async () => {
    const file = newKind();
    await drop('1.csv', file('Y-0,S1,1,,Open', 'Y-1,S1,many,,Open'));
    const corrected = await drop('2.csv', file('Y-1,S1,5,,Open'));
    await pool().query(`update purchase_orders set state = 'failed' where import_id = $1`, [
      corrected.importId,
    ]);
    const again = await drop('3.csv', file('Y-2,S1,1,,Open', 'Y-1,S1,many,,Open'));
    expect(await needing('Y-1')).toEqual([`rejected in ${again.importId}`]);
  });

  test('is not asked about where an earlier version rejected it', async () => {
    const file = newKind();
    const first = await drop('1.csv', file('W-1,S1,5,,Open'));
    await order(first.importId);
    await drop('2.csv', file('W-1,S1,many,,Open', 'W-2,S1,many,,Open'));
    const migration = new URL('../../src/ledger/migrations/059-rejected-again.sql', import.meta.url);
    await pool().query(await readFile(migration, 'utf8'));
    expect([...(await needing('W-1')), ...(await needing('W-2'))]).toHaveLength(1);
  });
});

describe('a row with an issue of its own that withdraws a PO which waits to be ordered', () => {
  test.each([
    ['left out', 'R1-1,S1,many,,gone'],
    ['with a new value', 'R2-1,S1,many,,Stopped by phone'],
    ['with the quantity 0', 'R3-1,S1,0,,Open'],
    ['without a quantity', 'R4-1,S1,,,Open'],
  ])('%s: the PO is held', async (_, row) => {
    const file = newKind();
    const poNumber = row.split(',')[0]!;
    await drop('1.csv', file(`${poNumber},S1,5,,Open`));
    const gone = await drop('2.csv', file('R-9,S1,1,,gone'));
    await answer((await questionsOf(gone.importId))[0]!.id, { answer: 'leave_out' });
    await drop('3.csv', file(row, 'R-2,S1,1,,Open'));
    const [po] = await readPurchaseOrdersNamed(pool(), poNumber, 'north');
    expect(po).toMatchObject({ state: 'held', reasonCode: 'on_hold' });
    expect(po!.reasonText).toMatch(/^It came again in .*3\.csv/);
  });

  test('the same bytes again withdraw what a file between them has', async () => {
    const file = newKind();
    await drop('1.csv', file('V-0,S1,1,,Open'));
    const gone = await drop('2.csv', file('V-9,S1,1,,gone'));
    await answer((await questionsOf(gone.importId))[0]!.id, { answer: 'leave_out' });
    const withdraws = file('V-1,S1,1,,gone', 'V-2,S1,1,,Open');
    expect((await drop('withdraws.csv', withdraws)).pos).toEqual(['V-2 ready']);
    const between = await drop('3.csv', file('V-1,S1,5,,Open'));
    expect(between.pos).toEqual(['V-1 ready']);
    await drop('4.csv', withdraws);
    expect(await statesOf(between.importId)).toEqual(['V-1 held on_hold 1 lines']);
  });
});
