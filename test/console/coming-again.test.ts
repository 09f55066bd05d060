import { describe, expect, test } from 'vitest';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { readPurchaseOrdersNamed } from '../../src/ledger/console/purchase-order.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, statesOf, questionsOf, answer, release } = desk;

describe('a PO that waits for an answer and comes again', () => {
  let cases = 0;
  /** Rows with PO numbers that no other case uses. */
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
    ['words behind its number', 'I-1 CANCELLED,S1,5,,Open'],
  ])('with %s: the answer does not order it', async (_, row) => {
    const { q, file } = newFile();
    await drop('1.csv', file('I-0,S1,1,,Open'));
    const gone = await drop('2.csv', file('I-9,S1,1,,gone'));
    await answer((await questionsOf(gone.importId))[0]!.id, { answer: 'leave_out' });
    const night = await drop('3.csv', file('I-1,S1,5,,Void'));
    await drop('4.csv', file(row, 'I-2,S1,1,,Open'));
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual([`I${q}-1 held on_hold 1 lines`]);
    const [po] = await readPurchaseOrdersNamed(desk.use.deps.pool, `I${q}-1`, 'north');
    expect(po!.reasonText).toMatch(/^It came again (?:as PO .* )?in .*4\.csv/);
    await release(night.importId);
    expect(await statesOf(night.importId)).toEqual([`I${q}-1 ready 1 lines`]);
  });

  test.each([
    ['', ''],
    [', and an earlier version read the first file', String.raw`\nstop$`],
  ])('with the same value%s: one answer is for both, and it is ordered once', async (_, unstored) => {
    const { q, file } = newFile();
    await drop('1.csv', file('L-0,S1,1,,Open'));
    const night = await drop('2.csv', file('L-1,S1,5,,Void'));
    const { rowCount } = await desk.use.deps.pool.query(
      `update row_issues set question = regexp_replace(question, $2, '') where import_id = $1 and question ~ $2`,
      [night.importId, unstored],
    );
    expect(rowCount).toBe(1);
    const again = await drop('3.csv', file('L-1,S1,5,,Void', 'L-2,S1,1,,Open'));
    expect(again.pos).toEqual([`L${q}-2 ready`]);
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual([`L${q}-1 ready 1 lines`]);
  });
});

test('a PO that was ordered and comes again as cancelled stays as it is, and a note says so', async () => {
  const file = newKind();
  const first = await drop('1.csv', file('SQ-1,S1,5,,Open'));
  const { pool } = desk.use.deps;
  await pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [first.importId]);
  const second = await drop('2.csv', file('SQ-1,S1,5,,Cancelled', 'SQ-2,S1,1,,Open'));
  expect(second.pos).toEqual(['SQ-2 ready']);
  expect(await questionsOf(second.importId)).toEqual([]);
  const { rows } = await pool.query('select severity, message from row_issues where import_id = $1', [
    second.importId,
  ]);
  const message = `"Status" says "Cancelled". PO SQ-1 of import ${first.importId} (1.csv, row 2) is ordered already and stays as it is. If it is not wanted any more, ask the operator of the service.`;
  expect(rows).toEqual([{ severity: 'note', message }]);
  const said: string[] = [];
  await createResultRegister(pool).write(second.importId, { force: true }, async (ledger) => {
    for (const row of (await ledger.rowsBetween(1, 9)).values())
      said.push(...row.issues.map((issue) => issue.message));
    return { path: 'none' };
  });
  expect(said, 'the result file says it, too').toEqual([message]);
});

test('a row that is left out for its status says nothing of a number that is a part of its own', async () => {
  const file = newKind();
  const first = await drop('1.csv', file('PP-1,S1,5,,Open', 'PP-8/1,S1,1,,Open'));
  const second = await drop('2.csv', file('PP-9,S1,1,,gone'));
  await answer((await questionsOf(second.importId))[0]!.id, { answer: 'leave_out' });
  await drop('3.csv', file('PP-1/2,S1,5,,gone', 'PP-1/3,S1,0,,Open', 'PP-1/4,S1,1,,Void', 'PP-3,S2,1,,Open'));
  expect(await statesOf(first.importId)).toEqual(['PP-1 ready 1 lines', 'PP-8/1 ready 1 lines']);
  const later = await drop('4.csv', file('PP-1/4,S1,2,,Open', 'PP-4,S1,9,,Open'));
  expect(later.pos).toContain('PP-4 ready');
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
  const [po] = await readPurchaseOrdersNamed(desk.use.deps.pool, 'NQ-0', 'north');
  expect(po).toMatchObject({ state: 'held', reasonCode: 'on_hold' });
  expect(po!.reasonText).toMatch(/^It is dear\. It came again in .*3\.csv/);
  // The nightly file contains it each night.
  await drop('4.csv', file('NQ-0,S1,1,,gone', 'NQ-3,S1,1,,Open'));
  const [later] = await readPurchaseOrdersNamed(desk.use.deps.pool, 'NQ-0', 'north');
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

describe('a file that is read after a later one that withdraws one of its POs', () => {
  /** The same header again: rows with `gone` are skipped, as agreed for the second file. */
  const agreed = async (prefix: string) => {
    const file = newKind();
    await drop('1.csv', file(`${prefix}-0,S1,1,,Open`));
    const gone = await drop('2.csv', file(`${prefix}-9,S1,1,,gone`));
    await answer((await questionsOf(gone.importId))[0]!.id, { answer: 'leave_out' });
    return file;
  };
  /** A person maps a file that waits or was already read. */
  const understand = async (importId: string, columns: object = {}) => {
    const { upload } = await desk.done<UploadAnswer>('POST', `/imports/${importId}/reread`, {});
    await desk.done('PUT', `/uploads/${upload.id}/mapping`, { mapping: { columns } });
    const confirmed = await desk.confirm(upload.id);
    const read = confirmed.upload.importId!;
    return { importId: read, pos: await desk.read(read) };
  };
  const unknown = { 'Our ref': 'po_number', Thing: 'item_sku', Many: 'quantity' };
  const reasonOf = async (number: string) =>
    (await readPurchaseOrdersNamed(desk.use.deps.pool, number, 'north')).at(-1)!.reasonText;

  test.each([
    ['VQ', 'VQ-1,S1,5,,gone'],
    ['WQ', 'wq-1,S1,0,,Open'],
  ])('because it waited for a person', async (prefix, row) => {
    const file = await agreed(prefix);
    const first = `Our ref,Thing,Many,${prefix}\n${prefix}-1,S1,5,\n${prefix}-2,S1,1,\n`;
    const waits = await desk.dropUnseen('3.csv', first);
    expect(await desk.whyItWaits(waits.importId)).toBeTruthy();
    const later = await drop('4.csv', file(row, `${prefix}-3,S1,1,,Open`));
    const { importId, pos } = await understand(waits.importId, unknown);
    expect(pos).toEqual([`${prefix}-1 held on_hold`, `${prefix}-2 ready`]);
    const reason = await reasonOf(`${prefix}-1`);
    expect(reason).toContain(`It came again in import ${later.importId} (4.csv, row 2) with this: `);
    expect(reason).toMatch(/Release this PO to order it as it is here, or cancel it\.$/);
    await release(importId);
    expect(await statesOf(importId)).toEqual([`${prefix}-1 ready 1 lines`, `${prefix}-2 ready 1 lines`]);
  });

  test('because it is read again: also a PO that waits for an answer, and one that was not in it when the later one came', async () => {
    const file = await agreed('ZQ');
    const first = await drop('3.csv', file('ZQ-1,S1,5,,Void', 'ZQ-2,S1,5,,Open', 'ZQ-3,S1,1,,Open'));
    await drop('4.csv', file('ZQ-1,S1,5,,gone', 'ZQ-4,S1,1,,Open'));
    const second = await understand(first.importId);
    expect(second.pos).toEqual(['ZQ-1 held question', 'ZQ-2 ready', 'ZQ-3 ready']);
    await desk.use.deps.pool.query(
      `update purchase_orders set state = 'cancelled', reason_code = 'read_again' where import_id = $1 and po_number = 'ZQ-2'`,
      [second.importId],
    );
    await drop('5.csv', file('ZQ-2,S1,5,,gone', 'ZQ-5,S1,1,,Open'));
    const third = await understand(second.importId);
    expect(third.pos).toEqual(['ZQ-1 held question', 'ZQ-2 held on_hold', 'ZQ-3 ready']);
    await answer((await questionsOf(third.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(third.importId)).toContain('ZQ-1 held on_hold 1 lines');
    expect(await reasonOf('ZQ-1')).toMatch(/came again in .*4\.csv/);
  });

  test('but not if the later one was read again itself and says so no more', async () => {
    const file = await agreed('JQ');
    const [, , , kind] = file().trim().split(',');
    const waits = await desk.dropUnseen('3.csv', 'Our ref,Thing,Many,JQ\nJQ-1,S1,5,\n');
    const later = await drop('4.csv', file('JQ-1,S1,0,JX-1,Open', 'JQ-2,S1,1,JX-2,Open'));
    expect(later.pos).toContain('JQ-1 rejected row_issues');
    const again = await understand(later.importId, { 'PO Number': 'ignore', [kind!]: 'po_number' });
    expect(again.pos).toContain('JX-1 rejected row_issues');
    expect((await understand(waits.importId, unknown)).pos).toEqual(['JQ-1 ready']);
  });
});
