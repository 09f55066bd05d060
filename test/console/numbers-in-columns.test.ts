import { describe, expect, test } from 'vitest';
import type { LayoutsAnswer } from '../../src/api-contract/layouts.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, questionsOf, answer, statesOf } = desk;

let files = 0;
/** PO numbers that no other test uses. */
const ownNumbers = (file: (...lines: string[]) => string) => {
  files += 1;
  const own = `${String.fromCharCode(64 + files)}X`;
  return (...lines: string[]) => file(...lines.map((line) => line.replace('-', own)));
};
const plain = (pos: readonly string[]) => pos.map((po) => po.replace(/[A-Z]X/, '-'));

describe('whole numbers in a column that is not read', () => {
  test.each([
    ['a status above the quantities', ['10', '20'], '90'],
    ['a status below them', ['1', '1'], '2'],
    ['a status with a zero in front', ['010', '020'], '090'],
    ['the size of a pack', ['1', '1'], '12'],
    ['another size of a pack', ['12', '12'], '24'],
    ['a longer status', ['100', '100'], '900'],
    ['words and numbers', ['open', '20'], '9'],
    ['sizes below and above them', ['1', '24'], '12'],
  ])('are each known by itself where they are few: %s', async (_, [one, two], other) => {
    const file = ownNumbers(newKind());
    await drop('1.csv', file(`A-1,S1,5,,${one}`, `A-2,S1,6,,${two}`));
    const night = await drop('2.csv', file(`B-1,S1,5,,${two}`, `B-2,S1,300,,${other}`, `B-3,S1,1,,${one}`));
    expect(plain(night.pos)).toEqual(['B-1 ready', 'B-2 held question', 'B-3 ready']);
    const [question] = await questionsOf(night.importId);
    await answer(question!.id, { answer: 'leave_out' });
    expect(plain(await statesOf(night.importId))[1]).toBe('B-2 cancelled left_out 1 lines');
    const later = await drop('3.csv', file(`C-1,S1,5,,${other}`, `C-2,S1,5,,${one}`));
    expect(plain(later.pos)).toEqual(['C-2 ready']);
  });

  test('are amounts where there are many, and only those above or below the quantity are new', async () => {
    const file = ownNumbers(newKind('In stock'));
    const rows = Array.from({ length: 20 }, (_, at) => `D-${at},S1,5,,${50 + at}`);
    await drop('1.csv', file(...rows));
    const night = await drop('2.csv', file('E-1,S1,5,,99', 'E-2,S1,5,,3', 'E-3,S1,5,,5'));
    expect(plain(night.pos)).toEqual(['E-1 ready', 'E-2 held question', 'E-3 held question']);
  });

  test('are the quantity again where each is that of its row', async () => {
    const file = ownNumbers(newKind('Ordered'));
    await drop('1.csv', file('F-1,S1,5,,5', 'F-2,S1,6,,6'));
    const night = await drop('2.csv', file('G-1,S1,7,,7', 'G-2,S1,7,,6'));
    expect(plain(night.pos)).toEqual(['G-1 ready', 'G-2 held question']);
  });

  test('are asked about once where a person says so for the whole column', async () => {
    const file = ownNumbers(newKind('Bin'));
    await drop('1.csv', file('H-1,S1,5,,10', 'H-2,S1,6,,12'));
    const night = await drop('2.csv', file('J-1,S1,7,,14', 'J-2,S1,7,,16'));
    const [question] = await questionsOf(night.importId);
    await answer(question!.id, { answer: 'order', wholeColumn: true });
    expect(plain(await statesOf(night.importId))).toEqual(['J-1 ready 1 lines', 'J-2 ready 1 lines']);
    expect(plain((await drop('3.csv', file('K-1,S1,5,,18'))).pos)).toEqual(['K-1 ready']);
  });

  test('that a person counts as pieces are counted, and no other one with them', async () => {
    const file = ownNumbers(newKind('Pack'));
    await drop('1.csv', file('L-1,S1,5,,1', 'L-2,S1,6,,1'));
    const night = await drop('2.csv', file('M-1,S1,5,,12'));
    const [question] = await questionsOf(night.importId);
    await answer(question!.id, { answer: 'pieces', pieces: 12 });
    const later = await drop('3.csv', file('N-1,S1,5,,12', 'N-2,S1,5,,24', 'N-3,S1,5,,1'));
    expect(plain(later.pos)).toEqual(['N-1 ready', 'N-2 held question', 'N-3 ready']);
    const { rows } = await desk.use.deps.pool.query(
      'select quantity from lines where import_id = $1 order by row_number',
      [later.importId],
    );
    expect(rows.map(({ quantity }) => Number(quantity))).toEqual([60, 5, 5]);
  });
});

describe('two columns that say how an item is packed', () => {
  const afterBoth = async (unit: number, pack: number) => {
    const file = ownNumbers(newKind('Unit,Pack'));
    await drop('1.csv', file('O-1,S1,5,,EA,1', 'O-2,S1,6,,EA,1'));
    const night = await drop('2.csv', file('P-1,S1,3,,CS,1', 'P-2,S1,3,,EA,24'));
    for (const { id, column } of await questionsOf(night.importId))
      await answer(id, { answer: 'pieces', pieces: column === 'Unit' ? unit : pack });
    const { importId } = await drop('3.csv', file('Q-1,S1,3,,CS,24'));
    const { rows } = await desk.use.deps.pool.query(
      `select p.state, p.reason_text, (select sum(l.quantity) from lines l where l.import_id = p.import_id) as quantity
       from purchase_orders p where p.import_id = $1`,
      [importId],
    );
    return rows[0];
  };

  test('count once where they say the same', async () => {
    expect(await afterBoth(24, 24)).toMatchObject({ state: 'ready', quantity: '72' });
  });

  test('are a mistake of the row where they contradict each other', async () => {
    const po = await afterBoth(12, 24);
    expect(po).toMatchObject({ state: 'rejected' });
    expect(po.reason_text).toMatch(/12 pieces where "Unit" says "CS", and 24 where "Pack" says "24"/);
  });
});

test('more than twelve numbers that were all ordered are amounts from then on', async () => {
  const file = ownNumbers(newKind('On hand'));
  const rows = (letter: string, from: number, count: number) =>
    file(...Array.from({ length: count }, (_, at) => `${letter}-${at},S1,5,,${from + at}`));
  await drop('1.csv', rows('A', 20, 8));
  const night = await drop('2.csv', rows('B', 30, 8));
  expect(new Set(night.pos.map((po) => po.replace(/^\S+ /, '')))).toEqual(new Set(['held question']));
  for (const { id } of await questionsOf(night.importId)) await answer(id, { answer: 'order' });
  expect((await drop('3.csv', rows('C', 20, 2))).pos.map((po) => po.split(' ')[1])).toEqual([
    'ready',
    'ready',
  ]);
  const larger = await drop('4.csv', rows('D', 50, 4));
  const asked = await questionsOf(larger.importId);
  expect(asked.map(({ purchaseOrders }) => purchaseOrders)).toEqual([4]);
  await answer(asked[0]!.id, { answer: 'order' });
  const later = file('E-1,S1,5,,99', 'E-2,S1,5,,2');
  expect(plain((await drop('5.csv', later)).pos)).toEqual(['E-1 ready', 'E-2 held question']);
});

test('what is known of numbers, of identifiers and right of the header goes out and in again as it is', async () => {
  const header = ['PO Number', 'SKU', 'Qty', 'In and out'];
  const values = {
    inandout: { '90': 'leave_out', '010': 'seen', 'number > quantity': 'seen' },
    ' PO numbers': { 'bestellung 4501005': 'order', '4,501,005': 'seen', 'one number or code': 'seen' },
    'column 5': { '(a formula without a value)': 'order' },
  };
  const entry = { account: 'north', name: 'In and out', header };
  await desk.done('PUT', '/layouts', { ...entry, values });
  const { items } = await desk.done<LayoutsAnswer>('GET', '/layouts?account=north');
  const { settings, kind, values: out } = items.find(({ name }) => name === entry.name)!;
  expect(out).toMatchObject({
    inandout: { '90': 'leave_out', '10': 'seen' },
    'column 5': values['column 5'],
  });
  expect(await desk.done('PUT', '/layouts', { ...entry, settings, kind, values: out! })).toMatchObject({
    change: 'same',
  });
});

describe('a number with signs between its digits that is taken back', () => {
  // Each under a header of its own, of which nobody knows how its numbers are written.
  let cases = 0;
  const newRows = () => {
    cases += 1;
    const header = `PO Number,Item Number,Qty,Date ${'ABCDEFGH'[cases]}`;
    return (line: string) => `${header}\n${line},\n`;
  };
  test.each([
    ['4.511.001 CANCELLED', '4511001'],
    ['PO 451 1002 void', '4511002'],
    ['4511003 CANCELLED', '4.511.003'],
    ['CANCELLED 45-11004', '4511004'],
  ])('holds the plain one: %s', async (gone, number) => {
    const rows = newRows();
    await drop('0.csv', rows('4510000,AX-1,1'));
    await drop('1.csv', rows(`${gone},AX-1,5`));
    expect((await drop('2.csv', rows(`${number},AX-2,7`))).pos).toEqual([`${number} held similar_po`]);
  });

  test.each([
    ['4512001', '4.512.001 CANCELLED'],
    ['4.512.002', 'PO 4512002 void'],
    ['451-2003', '4512003 CANCELLED'],
  ])('holds %s that is not submitted yet: %s', async (number, gone) => {
    const rows = newRows();
    await drop('0.csv', rows('4510000,AX-1,1'));
    const first = await drop('1.csv', rows(`${number},AX-1,5`));
    expect(first.pos).toEqual([`${number} ready`]);
    await drop('2.csv', rows(`${gone},AX-1,5`));
    expect((await statesOf(first.importId))[0]).toMatch(/ held /);
  });
});
