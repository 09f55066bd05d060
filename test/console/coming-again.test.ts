import { describe, expect, test } from 'vitest';
import { findPurchaseOrders } from '../../src/ledger/purchase-order-history.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, statesOf, questionsOf, answer, release } = desk;

describe('a PO that waits for an answer and comes again', () => {
  let cases = 0;
  /** Rows of PO numbers that no other case has. */
  const newFile = () => {
    const file = newKind();
    cases += 1;
    const own = (row: string) => row.replace(/^(\w)-/, `$1${cases}Q-`);
    return { q: `${cases}Q`, file: (...rows: string[]) => file(...rows.map(own)) };
  };
  test.each([
    ['order', 'ready 1 lines'],
    ['leave_out', 'cancelled left_out 1 lines'],
    ['pieces', 'ready 1 lines'],
  ] as const)('without the value: it is held beside it, whatever the answer is (%s)', async (given, end) => {
    const { q, file } = newFile();
    await drop('1.csv', file('H-0,S1,1,,Open'));
    const night = await drop('2.csv', file('H-1,S1,5,,Void'));
    const again = await drop('3.csv', file('H-1,S1,5,,Open', 'H-2,S1,1,,Open'));
    expect(again.pos).toEqual([`H${q}-1 held conflicting_po`, `H${q}-2 ready`]);
    const pieces = given === 'pieces' ? { pieces: 12 } : {};
    await answer((await questionsOf(night.importId))[0]!.id, { answer: given, ...pieces });
    expect(await statesOf(night.importId)).toEqual([`H${q}-1 ${end}`]);
    expect(await statesOf(again.importId)).toEqual([
      `H${q}-1 held conflicting_po 1 lines`,
      `H${q}-2 ready 1 lines`,
    ]);
  });

  test.each([
    ['a row that is left out', 'I-1,S1,5,,gone'],
    ['a row that is left out, under a number in another case', 'i-1,S1,5,,gone'],
    ['another new value', 'I-1,S1,5,,Stopped by phone'],
  ])('with %s: the answer does not order it', async (_, row) => {
    const { q, file } = newFile();
    await drop('1.csv', file('I-0,S1,1,,Open'));
    const gone = await drop('2.csv', file('I-9,S1,1,,gone'));
    await answer((await questionsOf(gone.importId))[0]!.id, { answer: 'leave_out' });
    const night = await drop('3.csv', file('I-1,S1,5,,Void'));
    await drop('4.csv', file(row, 'I-2,S1,1,,Open'));
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual([`I${q}-1 held on_hold 1 lines`]);
    const [po] = await findPurchaseOrders(desk.use.deps.pool, `I${q}-1`, 'north');
    expect(po!.reasonText).toMatch(/^It came again in .*4\.csv/);
    await release(night.importId);
    expect(await statesOf(night.importId)).toEqual([`I${q}-1 ready 1 lines`]);
  });

  test('with the same value: one answer is for both, and it is ordered once', async () => {
    const { q, file } = newFile();
    await drop('1.csv', file('L-0,S1,1,,Open'));
    const night = await drop('2.csv', file('L-1,S1,5,,Void'));
    const again = await drop('3.csv', file('L-1,S1,5,,Void', 'L-2,S1,1,,Open'));
    expect(again.pos).toEqual([`L${q}-2 ready`]);
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual([`L${q}-1 ready 1 lines`]);
  });
});

test('a PO that is held for something else names the later file that withdraws it, once', async () => {
  const file = newKind();
  const gone = await drop('1.csv', file('NQ-0,S1,1,,Open'));
  const second = await drop('2.csv', file('NQ-9,S1,1,,gone'));
  await answer((await questionsOf(second.importId))[0]!.id, { answer: 'leave_out' });
  await desk.use.deps.pool.query(
    `update purchase_orders set state = 'held', reason_code = 'price_above', reason_text = 'It is dear.' where import_id = $1`,
    [gone.importId],
  );
  await drop('3.csv', file('NQ-0,S1,1,,gone', 'NQ-2,S1,1,,Open'));
  const [po] = await findPurchaseOrders(desk.use.deps.pool, 'NQ-0', 'north');
  expect(po).toMatchObject({ state: 'held', reasonCode: 'on_hold' });
  expect(po!.reasonText).toMatch(/^It is dear\. It came again in .*3\.csv/);
  // A nightly file has it each night.
  await drop('4.csv', file('NQ-0,S1,1,,gone', 'NQ-3,S1,1,,Open'));
  const [later] = await findPurchaseOrders(desk.use.deps.pool, 'NQ-0', 'north');
  expect(later!.reasonText).toBe(po!.reasonText);
});

test.each(['OQ-1,S1,5,,gone', 'oq-1,S1,5,,gone'])(
  'rows that are left out name the order that an earlier file made of their PO: %s',
  async (row) => {
    const file = newKind();
    const first = await drop('1.csv', file('OQ-1,S1,5,,Open'));
    const second = await drop('2.csv', file('OQ-9,S1,1,,gone'));
    await answer((await questionsOf(second.importId))[0]!.id, { answer: 'leave_out' });
    const { pool } = desk.use.deps;
    await pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [first.importId]);
    const third = await drop('3.csv', file(row, 'OQ-8,S1,1,,gone'));
    const { rows } = await pool.query(
      `select message from row_issues where import_id = $1 and code = 'left_out' order by row_number`,
      [third.importId],
    );
    expect(rows[0].message).toMatch(
      /are skipped, .*\. PO OQ-1 of import \d+ \(1\.csv, row 2\) stays as it is\.$/,
    );
    expect(rows[1].message).not.toContain('stays');
    await pool.query(`update purchase_orders set state = 'cancelled' where import_id = $1`, [first.importId]);
  },
);
