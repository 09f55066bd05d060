import { expect, test } from 'vitest';
import type { LayoutsAnswer, ShownQuestion } from '../../src/api-contract/layouts.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, dropUnseen, agree, whyItWaits, questionsOf, answer, statesOf } = desk;

/** A file of POs with one line each, with column names that need nobody's agreement. */
const certain = (header: string) => {
  return (...numbers: string[]) => `${header}\n${numbers.map((number) => `"${number}",AX-1,1\n`).join('')}`;
};
/** The same with a layout that somebody has agreed to. */
const agreed = () => {
  const file = newKind();
  return (...numbers: string[]) => file(...numbers.map((number) => `"${number}",AX-1,1,x,Open`));
};

const odd = ['#*', '~#~', '-#', '#X', 'NYC#', '#/##', '# ##', '#;#', '#.5', 'PO-#', '12/01/#'];

let cases = 0;
test.each([...odd, '4O#1', 'Ж#'])(
  '%s is asked about where all numbers before were plain, and the other POs go on',
  async (written) => {
    cases += 1;
    const plain = (last: number) => `${71000 + cases}${last}`;
    const kind = agreed();
    await drop('1.csv', kind(plain(1), plain(2), plain(3)));
    const night = await drop('2.csv', kind(plain(4), written.replaceAll('#', plain(5)), plain(6)));
    expect(night.pos.filter((po) => po.endsWith('ready'))).toEqual([
      `${plain(4)} ready`,
      `${plain(6)} ready`,
    ]);
    expect(night.pos.filter((po) => / (?:held|rejected)/.test(po))).toHaveLength(1);
  },
);

test('so it is where nobody had to agree, with the number as it is written in the question', async () => {
  const kind = certain('PO Number,SKU,Qty');
  await dropUnseen('1.csv', kind('61001', '61002', '61003'), 'south');
  const night = await dropUnseen('2.csv', kind('61004', '61005*', '61006'), 'south');
  expect(night.pos).toEqual(['61004 ready', '61005* held question', '61006 ready']);
  const { items } = await desk.done<{ items: ShownQuestion[] }>('GET', '/questions?account=south');
  expect(items.map(({ message }) => message)).toEqual([
    '"PO Number" says "61005*", and no PO number in files with this header was written like that before. Order such rows, or leave them out?',
  ]);
});

test.each(['#-A', '2026-#'])(
  'the question about %s names the order that an earlier file made of #',
  async (written) => {
    cases += 1;
    const number = (last: number) => `${58_000 + cases}${last}`;
    const kind = agreed();
    const first = await drop('1.csv', kind(number(1), number(2), number(3)));
    await desk.use.deps.pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
      first.importId,
    ]);
    const [other, same] = [written.replace('#', number(4)), written.replace('#', number(2))];
    const second = await drop('2.csv', kind(other, same));
    const [asked] = await questionsOf(second.importId);
    expect(asked).toMatchObject({ value: same, purchaseOrders: 2 });
    expect(asked!.message).toContain(
      `PO ${number(2)} of import ${first.importId} (1.csv, row 3) is ordered already: if these rows are about that order, leave them out.`,
    );
  },
);

test('what is said of one counts for all that are written like it; skipped ones are asked about again', async () => {
  const kind = agreed();
  await drop('1.csv', kind('51001', '51002', '51003'));
  const second = await drop('2.csv', kind('51004-A', '51005-B', '51006*'));
  const asked = await questionsOf(second.importId);
  const [letters, star] = asked.toSorted((a, b) => b.purchaseOrders - a.purchaseOrders);
  expect([letters!.purchaseOrders, star!.purchaseOrders]).toEqual([2, 1]);
  await answer(letters!.id, { answer: 'order' });
  await answer(star!.id, { answer: 'leave_out' });
  expect(await statesOf(second.importId)).toEqual([
    '51004-A ready 1 lines',
    '51005-B ready 1 lines',
    expect.stringContaining('51006* cancelled'),
  ]);
  const third = await drop('3.csv', kind('51007-C', '51008*', '51009'));
  expect(third.pos).toEqual(['51007-C ready', '51008* held question', '51009 ready']);
});

test('how numbers are written is learned from the first file that has enough of them, with those of earlier files', async () => {
  const kind = certain('PO Number,Item,Qty');
  expect((await dropUnseen('1.csv', kind('J-1'), 'south')).pos).toEqual(['J-1 ready']);
  expect((await dropUnseen('2.csv', kind('K77', '12'), 'south')).pos).toEqual(['K77 ready', '12 ready']);
  await dropUnseen('3.csv', kind('J-3', 'J-4', 'J-5'), 'south');
  expect((await dropUnseen('4.csv', kind('J-6', 'K78', 'J/7'), 'south')).pos).toEqual([
    ...['J-6 ready', 'K78 ready', 'J/7 held question'],
  ]);
});

test.each([
  ['where nobody had to agree', 'south', () => certain('PO Number,Item SKU,Qty')],
  ['in a layout that somebody has agreed to', 'north', agreed],
] as const)('and from files with one PO each, %s', async (_, account, kindOf) => {
  const kind = kindOf();
  for (const number of ['87001', '87002', '87003'])
    expect((await drop(`${number}.csv`, kind(number), account)).pos).toEqual([`${number} ready`]);
  expect((await drop('4.csv', kind('87004*'), account)).pos).toEqual(['87004* held question']);
  expect((await drop('5.csv', kind('87005'), account)).pos).toEqual(['87005 ready']);
  expect((await drop('6.csv', kind('A-87006'), account)).pos).toEqual(['A-87006 held question']);
});

test('of ids of random letters and of free texts each is written in its own way, and none is asked about', async () => {
  const kind = certain('PO Number,SKU,Quantity');
  await dropUnseen(
    '1.csv',
    kind('07VHN6D2', 'J7G273YD', 'LTZ9F66P', '7e2f2640-6866', '64e718c9-ff99'),
    'south',
  );
  const night = await dropUnseen('2.csv', kind('A1', '22', 'x-99f'), 'south');
  expect(night.pos).toEqual(['A1 ready', '22 ready', 'x-99f ready']);
});

test('a first file with one that is written otherwise waits, and what is agreed to counts from then on', async () => {
  const kind = certain('PO Number,Part Number,Qty');
  const first = await dropUnseen('1.csv', kind('41001', '41002', '41003', '41004', '41005R'), 'south');
  expect(await whyItWaits(first.importId)).toContain('41005R');
  await agree(first.importId);
  expect((await dropUnseen('2.csv', kind('41006', '41007R', '41008-1'), 'south')).pos).toEqual([
    ...['41006 ready', '41007R ready', '41008-1 held question'],
  ]);
});

test('who wrote that all numbers are ordered is asked about none', async () => {
  const file = newKind();
  const header = file().trim().split(',');
  const row = (number: string) => `${number},AX-1,1,x,Open`;
  await desk.done('PUT', '/layouts', {
    account: 'north',
    name: 'All numbers',
    header,
    values: { ' PO numbers': { 'one number or code': 'order' }, status: { Open: 'seen' } },
  });
  await drop('1.csv', file(row('31001'), row('31002'), row('31003')));
  const { items } = await desk.done<LayoutsAnswer>('GET', '/layouts?account=north');
  expect(items.find(({ name }) => name === 'All numbers')?.values?.[' PO numbers']).toMatchObject({
    'written as 0': 'seen',
  });
  expect((await drop('2.csv', file(row('31004*'), row('X31005')))).pos).toEqual([
    ...['31004* ready', 'X31005 ready'],
  ]);
});
