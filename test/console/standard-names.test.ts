import { expect, test } from 'vitest';
import { useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { dropUnseen } = desk;

/** A file whose columns are recognised, and which nobody has to agree to. */
const file = (kind: string, ...rows: string[]) => [`PO Number,SKU,${kind}`, ...rows, ''].join('\n');

test.each([
  ['Qty', 'Page 1'],
  ['Quantity', '4712 rush'],
  ['qty', '"4711, 4712"'],
])(
  'what numbers look like is known from the first file on, and asked from the second (%s, %s)',
  async (kind, odd) => {
    const own = (number: string) => `${kind.length}${kind.charCodeAt(0)}${number}`;
    const first = await dropUnseen('1.csv', file(kind, `${own('1')},AX-1,1`, `${own('2')},AX-1,1`));
    expect(first.pos).toEqual([`${own('1')} ready`, `${own('2')} ready`]);
    const second = await dropUnseen('2.csv', file(kind, `${odd},AX-1,1`, `${own('3')},AX-1,1`));
    expect(second.pos).toEqual([`${odd.replaceAll('"', '')} held question`, `${own('3')} ready`]);
    const third = await dropUnseen('3.csv', file(kind, `${own('4')},AX-1,1`, `${own('5')},AX-1,1`));
    expect(third.pos).toEqual([`${own('4')} ready`, `${own('5')} ready`]);
  },
);

test('a number with words beside one that is ordered is held with what else is wrong, if it orders the same', async () => {
  const first = await dropUnseen('1.csv', 'PO Number,Item,Qty\nW-1,AX-1,5\nW-2,AX-1,1\n');
  await desk.use.deps.pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
    first.importId,
  ]);
  const second = await dropUnseen('2.csv', 'PO Number,Item,Qty\nW-1 rush,AX-1,5\nBestellung W-2,AX-1,1\n');
  expect(second.pos).toEqual(['W-1 rush held question', 'Bestellung W-2 held question']);
  const { rows } = await desk.use.deps.pool.query(
    'select reason_text from purchase_orders where import_id = $1 order by first_row',
    [second.importId],
  );
  expect(rows.map(({ reason_text }) => reason_text)).toEqual([
    expect.stringMatching(/ PO W-1 of import .* orders the same/),
    expect.stringMatching(/ PO W-2 of import .* orders the same/),
  ]);
});

test('a number is held beside one of its file with words that nobody has answered about, whatever it orders', async () => {
  const rows = (...numbers: string[]) => ['PO Number,Part Number,Qty', ...numbers, ''].join('\n');
  expect((await dropUnseen('1.csv', rows('B-1,AX-1,1'))).pos).toEqual(['B-1 ready']);
  const second = await dropUnseen(
    '2.csv',
    rows('B-2,AX-1,5', 'B-2 rush,AX-2,1', 'B-3,AX-1,5', 'B-4 rush,AX-1,5'),
  );
  expect(second.pos).toEqual([
    'B-2 held similar_po',
    'B-2 rush held question',
    'B-3 ready',
    'B-4 rush held question',
  ]);
});

test('a code before the number, joined by a sign, is a part of it', async () => {
  const rows = (number: string) => `PO Number,Item,Quantity\n${number},AX-1,5\n`;
  expect((await dropUnseen('1.csv', rows('PO-91'))).pos).toEqual(['PO-91 ready']);
  expect((await dropUnseen('2.csv', rows('NYC-91'))).pos).toEqual(['NYC-91 ready']);
  expect((await dropUnseen('3.csv', rows('LAX-91'))).pos).toEqual(['LAX-91 ready']);
});

test('a rejected row that cancels an order by words beside its number names the order, which stays', async () => {
  const rows = (number: string) => `PO Number,Item Number,Qty\n${number},AX-1,5\n`;
  const first = await dropUnseen('1.csv', rows('K-31'));
  await desk.use.deps.pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
    first.importId,
  ]);
  const second = await dropUnseen('2.csv', rows('K-31 CANCELLED'));
  expect(second.pos).toEqual(['K-31 CANCELLED rejected row_issues']);
  const { rows: found } = await desk.use.deps.pool.query(
    'select reason_text from purchase_orders where import_id = $1',
    [second.importId],
  );
  expect(found[0].reason_text).toContain(`PO K-31 of import ${first.importId} (1.csv, row 2) stays as it is`);
});
