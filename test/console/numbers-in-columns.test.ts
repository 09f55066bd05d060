import { describe, expect, test } from 'vitest';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, questionsOf, answer, statesOf } = desk;

let files = 0;
/** PO numbers that no other test has. */
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
