import { describe, expect, test } from 'vitest';
import { readPurchaseOrdersNamed } from '../../src/ledger/console/purchase-order.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { done, call, drop, dropUnseen, whyItWaits, read, statesOf, questionsOf, answer, release } = desk;

describe('an item that is called like a charge, in a file that needed no person', () => {
  const file = (...lines: string[]) => `po_number,item_sku,quantity,note\n${lines.join('\n')}\n`;

  test('its PO waits, the others go on, and the answer counts for later files', async () => {
    const night = await dropUnseen('charge 1.csv', file('Z-1,A-1,3,', 'Z-1,FREIGHT,1,', 'Z-2,A-1,2,'));
    expect(night.pos).toEqual(['Z-1 held question', 'Z-2 ready']);
    const [question, ...others] = await questionsOf(night.importId);
    expect(others).toEqual([]);
    expect(question!.message).toBe(
      '"item_sku" says "FREIGHT", which is usually a charge and no item. Order such rows, or leave them out?',
    );
    await answer(question!.id, { answer: 'leave_out' });
    expect(await statesOf(night.importId)).toEqual(['Z-1 ready 1 lines', 'Z-2 ready 1 lines']);
    const next = await dropUnseen('charge 2.csv', file('Z-3,A-1,3,', 'Z-3,Freight,1,', 'Z-4,Tax,1,'));
    expect(await statesOf(next.importId)).toEqual(['Z-3 ready 1 lines', 'Z-4 held question 1 lines']);
    await answer((await questionsOf(next.importId))[0]!.id, { answer: 'order' });
    expect((await dropUnseen('charge 3.csv', file('Z-5,TAX,2,'))).pos).toEqual(['Z-5 ready']);
  });
});

describe('the night when Status says something for the first time', () => {
  test('the POs of these rows wait, and the others go on', async () => {
    const file = newKind();
    expect((await drop('1.csv', file('A-1,S1,3,,Open', 'A-2,S2,4,,Open'))).pos).toEqual([
      'A-1 ready',
      'A-2 ready',
    ]);
    const night = await drop(
      '2.csv',
      file('A-3,S1,3,,Open', 'A-4,S1,3,,Void', 'A-4,S2,5,,open', 'A-5,S1,1,,Void'),
    );
    expect(night.pos).toEqual(['A-3 ready', 'A-4 held question', 'A-5 held question']);
    const [question, ...others] = await questionsOf(night.importId);
    expect(others).toEqual([]);
    expect(question).toMatchObject({
      column: 'Status',
      value: 'Void',
      rows: 2,
      purchaseOrders: 2,
      firstPo: { poNumber: 'A-4' },
    });
    expect(question!.message).toBe(
      '"Status" says "Void", which no file with this header said before. Order such rows, or leave them out?',
    );
  });

  test('"order" lets them go on, and is not asked again', async () => {
    const file = newKind();
    await drop('1.csv', file('B-1,S1,3,,Open'));
    const night = await drop('2.csv', file('B-2,S1,3,,Rush'));
    const [question] = await questionsOf(night.importId);
    const { sentence } = await answer(question!.id, { answer: 'order', note: 'asked Dana' });
    expect(sentence).toBe('1 PO continues. From now on, rows with "Rush" in "Status" are ordered.');
    expect(await statesOf(night.importId)).toEqual(['B-2 ready 1 lines']);
    expect((await drop('3.csv', file('B-3,S1,3,,RUSH'))).pos).toEqual(['B-3 ready']);
    expect((await call('POST', `/questions/${question!.id}/answer`, { answer: 'order' })).statusCode).toBe(
      409,
    );
  });

  test('"leave out" makes the PO again without these rows, ends one that has no others, and counts for later files', async () => {
    const file = newKind();
    await drop('1.csv', file('C-1,S1,3,,Open'));
    const night = await drop('2.csv', file('C-2,S1,3,,Open', 'C-2,S2,4,,Void', 'C-3,S1,1,,Void'));
    const [question] = await questionsOf(night.importId);
    const { sentence } = await answer(question!.id, { answer: 'leave_out' });
    expect(sentence).toContain('2 rows were skipped. 1 PO continues. 1 PO is cancelled: no row is left.');
    expect(await statesOf(night.importId)).toEqual(['C-2 ready 1 lines', 'C-3 cancelled left_out 1 lines']);
    const { rows } = await desk.use.deps.pool.query(
      'select item_sku, quantity from lines where import_id = $1 order by row_number',
      [night.importId],
    );
    expect(rows).toEqual([{ item_sku: 'S1', quantity: 3 }]);
    const [{ id } = { id: '' }] = await readPurchaseOrdersNamed(desk.use.deps.pool, 'C-3', 'north');
    const tried = await call('POST', '/purchase-orders/actions', { action: 'retry', items: [{ id }] });
    expect(tried.body).toContain('all of its rows are left out');
    const next = await drop('3.csv', file('C-4,S1,3,,Open', 'C-4,S2,4,,void'));
    expect(await statesOf(next.importId)).toEqual(['C-4 ready 1 lines']);
    const { rows: notes } = await desk.use.deps.pool.query(
      `select row_number, code, message from row_issues where import_id = $1 and code = 'left_out'`,
      [next.importId],
    );
    expect(notes).toEqual([
      {
        row_number: 3,
        code: 'left_out',
        message: 'Not ordered: rows in which "Status" says "void" are skipped, as a person decided.',
      },
    ]);
  });

  test('a PO without the rows that are left out is the same PO when its file comes again', async () => {
    const file = newKind();
    await drop('1.csv', file('D-1,S1,3,,Open'));
    const lines = ['D-2,S1,3,,Open', 'D-2,S2,4,,Void'];
    const night = await drop('2.csv', file(...lines));
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'leave_out' });
    // The next file has the PO once more, between others.
    const next = await drop('3.csv', file('D-3,S1,9,,Open', ...lines));
    expect(next.pos).toEqual(['D-3 ready']);
    const { rows } = await desk.use.deps.pool.query(
      'select po_number from repeated_purchase_orders where import_id = $1',
      [next.importId],
    );
    expect(rows).toEqual([{ po_number: 'D-2' }]);
  });

  test('"ask each time" leaves the POs to a person, and asks again', async () => {
    const file = newKind();
    await drop('1.csv', file('E-1,S1,3,,Open'));
    const night = await drop('2.csv', file('E-2,S1,3,,Void'));
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'ask' });
    expect(await statesOf(night.importId)).toEqual(['E-2 held question 1 lines']);
    // A second person sees that somebody has answered it.
    expect((await questionsOf(night.importId))[0]!.message).toContain('which is to be asked about each time');
    expect((await drop('3.csv', file('E-3,S1,3,,Void'))).pos).toEqual(['E-3 held question']);
  });

  test('a PO with two questions waits for both answers', async () => {
    const file = newKind('Status,Unit');
    await drop('1.csv', file('F-1,S1,3,,Open,EA'));
    const night = await drop('2.csv', file('F-2,S1,3,,Void,EA', 'F-2,S2,4,,Open,DZ'));
    const questions = await questionsOf(night.importId);
    expect(questions.map(({ column, value }) => [column, value]).sort()).toEqual([
      ['Status', 'Void'],
      ['Unit', 'DZ'],
    ]);
    const [first, second] = questions;
    await answer(first!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual(['F-2 held question 2 lines']);
    await answer(second!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual(['F-2 ready 2 lines']);
  });

  test('a column that says nothing about orders is not asked about any more', async () => {
    const file = newKind('Contact');
    await drop('1.csv', file('G-1,S1,3,,Dana'));
    const night = await drop('2.csv', file('G-2,S1,3,,Kim'));
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order', wholeColumn: true });
    expect((await drop('3.csv', file('G-3,S1,3,,Lee'))).pos).toEqual(['G-3 ready']);
  });

  test('a PO that is held for another reason, too, is asked about first, and is then held for that reason', async () => {
    const file = newKind();
    await drop('1.csv', file('I-1,S1,3,,Open'));
    const night = await drop('2.csv', file('I-7,S1,3,,Void', 'I 7,S2,4,,Open'));
    expect(night.pos).toEqual(['I-7 held question', 'I 7 held similar_po']);
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual([
      'I-7 held similar_po 1 lines',
      'I 7 held similar_po 1 lines',
    ]);
  });

  test('a PO in conflict with an earlier one is asked about when the conflict is over', async () => {
    const file = newKind();
    const first = await drop('1.csv', file('J-1,S1,3,,Open'));
    const night = await drop('2.csv', file('J-1,S1,4,,Void'));
    expect(night.pos).toEqual(['J-1 held conflicting_po']);
    // Like a worker after a person has cancelled the PO.
    await desk.use.deps.pool.query(
      `update purchase_orders set state = 'cancelled', reason_code = 'operator' where import_id = $1`,
      [first.importId],
    );
    await release(night.importId);
    expect(await statesOf(night.importId)).toEqual(['J-1 held question 1 lines']);
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual(['J-1 ready 1 lines']);
  });

  test.each(['leave_out', 'ask'] as const)(
    'the same answer for all other new values: "%s" never orders one of them unasked',
    async (given) => {
      const file = newKind('Cond');
      const po = given === 'ask' ? 'K' : 'L';
      await drop('1.csv', file(`${po}-1,S1,1,,Open`));
      const night = await drop('2.csv', file(`${po}-2,S1,5,,Cancelled`, `${po}-2,S2,1,,Open`));
      await answer((await questionsOf(night.importId))[0]!.id, { answer: given, wholeColumn: true });
      const next = await drop(
        '3.csv',
        file(`${po}-3,S1,7,,Cancelled`, `${po}-3,S2,1,,Open`, `${po}-4,S1,7,,Returned`, `${po}-5,S2,1,,Open`),
      );
      expect(await statesOf(next.importId)).toEqual(
        given === 'ask'
          ? ['K-3 held question 2 lines', 'K-4 held question 1 lines', 'K-5 ready 1 lines']
          : ['L-3 ready 1 lines', 'L-5 ready 1 lines'],
      );
    },
  );

  test('a PO whose rows are all left out is given to no other file that has it, too', async () => {
    const file = newKind();
    await drop('1.csv', file('M-1,S1,1,,Open'));
    const night = await drop('2.csv', file('M-2,S1,5,,Void'));
    const more = await drop('3.csv', file('M-2,S1,5,,Void', 'M-9,S1,1,,Open'));
    expect(more.pos).toEqual(['M-9 ready']);
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'leave_out' });
    expect(await statesOf(night.importId)).toEqual(['M-2 cancelled left_out 1 lines']);
    expect(await statesOf(more.importId)).toEqual(['M-9 ready 1 lines']);
  });

  test('a PO that was not sent yet and comes again with a new value is held for a person', async () => {
    const file = newKind();
    await drop('1.csv', file('O-1,S1,1,,Open'));
    const first = await drop('2.csv', file('O-2,S1,5,,Open'));
    expect(first.pos).toEqual(['O-2 ready']);
    const again = await drop('3.csv', file('O-2,S1,5,,Void', 'O-3,S1,1,,Open'));
    expect(again.pos).toEqual(['O-2 held conflicting_po', 'O-3 ready']);
    expect(await statesOf(first.importId)).toEqual(['O-2 held on_hold 1 lines']);
    const found = await readPurchaseOrdersNamed(desk.use.deps.pool, 'O-2', 'north');
    const conflict = found.find(({ importId }) => importId === again.importId);
    expect(conflict?.reasonText).toMatch(
      /cancel the other one and release this one\. Row 2: "Status" says "Void"/,
    );
    // Once it is ordered, its later states are not reported.
    await desk.use.deps.pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
      first.importId,
    ]);
    expect((await drop('4.csv', file('O-2,S1,5,,Gone', 'O-4,S1,1,,Open'))).pos).toEqual(['O-4 ready']);
  });

  test('a PO that was not sent yet and comes again in a row that is left out is held; of the same rows again nothing is asked', async () => {
    const file = newKind();
    const night = await drop('1.csv', file('OA-1,S1,1,,Open'));
    const second = await drop('2.csv', file('OA-2,S1,5,,Open', 'OA-2,S2,1,,Void', 'OA-3,S1,2,,Open'));
    await answer((await questionsOf(second.importId))[0]!.id, { answer: 'leave_out' });
    expect(await statesOf(second.importId)).toEqual(['OA-2 ready 1 lines', 'OA-3 ready 1 lines']);
    await drop('3.csv', file('OA-2,S1,5,,Open', 'OA-2,S2,1,,Void', 'OA-1,S1,1,,void'));
    expect(await statesOf(night.importId)).toEqual(['OA-1 held on_hold 1 lines']);
    expect(await statesOf(second.importId)).toEqual(['OA-2 ready 1 lines', 'OA-3 ready 1 lines']);
  });

  test('a header with one more column knows what the others of the account said', async () => {
    const header = 'PO Number,SKU,Qty,Line State';
    await drop('1.csv', `${header}\nR-1,S1,1,Open\n`);
    expect((await dropUnseen('2.csv', `${header},Ref\nR-2,S1,1,open,\n`)).pos).toEqual(['R-2 ready']);
    const wider = await dropUnseen('3.csv', `${header},Ref 2\nR-3,S1,1,Cancelled,\nR-4,S1,1,Open,\n`);
    expect(await whyItWaits(wider.importId)).toContain(
      '"Line State" says "Cancelled" (1 row), "Open" (1 row)',
    );
    // An answer applies to the files of one header.
    const other = newKind('Haul');
    await drop('4.csv', other('RA-1,S1,1,,a'));
    const first = await drop('5.csv', other('RA-2,S1,1,,b'));
    await answer((await questionsOf(first.importId))[0]!.id, { answer: 'leave_out', wholeColumn: true });
    const night = await dropUnseen('6.csv', newKind('Haul')('RA-3,S1,1,,b', 'RA-4,S1,1,,a'));
    expect(await whyItWaits(night.importId)).toContain('"Haul" says "b" (1 row), "a" (1 row)');
  });

  test('a cell with a star is a value like others', async () => {
    const file = newKind('Mark');
    expect((await drop('1.csv', file('S-1,S1,1,,*', 'S-2,S1,1,,*'))).pos).toEqual(['S-1 ready', 'S-2 ready']);
    expect((await drop('2.csv', file('S-3,S1,1,,*', 'S-4,S1,1,,Void'))).pos).toEqual([
      'S-3 ready',
      'S-4 held question',
    ]);
  });

  test('what was said of a value counts before what was said of all others', async () => {
    const file = newKind('Grade,Finish');
    await drop('1.csv', file('U-1,S1,1,,a,x'));
    const night = await drop(
      '2.csv',
      file('U-2,S1,1,,b,y', 'U-2,S2,2,,a,x', 'U-3,S1,1,,c,x', 'U-3,S2,1,,a,x'),
    );
    const open = async (value: string) =>
      (await questionsOf(night.importId)).find((one) => one.value === value)!.id;
    await answer(await open('b'), { answer: 'order' });
    await answer(await open('c'), { answer: 'leave_out', wholeColumn: true });
    await answer(await open('y'), { answer: 'order' });
    expect(await statesOf(night.importId)).toEqual(['U-2 ready 2 lines', 'U-3 ready 1 lines']);
  });

  test('also in a file that a person mapped: what its header never said is asked', async () => {
    const file = newKind();
    await drop('1.csv', file('X-1,S1,1,,Open'));
    const { upload } = await desk.upload('2.csv', file('X-2,S1,1,,Void', 'X-3,S1,1,,Open'));
    await done('PUT', `/uploads/${upload.id}/mapping`, { mapping: { columns: { SKU: 'item_sku' } } });
    const shown = await desk.preview(upload.id);
    expect(shown).toMatchObject({ counts: { ready: 1, held: 1 } });
    const confirmed = await desk.confirm(upload.id);
    expect(await read(confirmed.upload.importId)).toEqual(['X-2 held question', 'X-3 ready']);
    expect((await drop('3.csv', file('X-4,S1,1,,Void'))).pos).toEqual(['X-4 held question']);
  });

  test('of two persons the first answer counts, and the second is told', async () => {
    const file = newKind();
    await drop('1.csv', file('H-1,S1,3,,Open'));
    const night = await drop('2.csv', file('H-2,S1,3,,Void'));
    const { id } = (await questionsOf(night.importId))[0]!;
    const answers = await Promise.all(
      ['order', 'leave_out'].map((one) => call('POST', `/questions/${id}/answer`, { answer: one })),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });
});
