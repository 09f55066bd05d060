import { describe, expect, test } from 'vitest';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { drop, questionsOf, answer, agree, whyItWaits, dropUnseen } = desk;

let kinds = 0;
/** POs with names as numbers; in each file of a kind, the same name has the same single line. */
const nameFiles = () => {
  kinds += 1;
  const own = (name: string) => `${name} K${'ABCDEFGHIJ'[kinds]}`;
  const file = newKind();
  const row = (name: string, item: string, quantity: number) => `"${name}",${item},${quantity},x,Open`;
  return { own, file, row };
};
const held = (pos: readonly string[]) => pos.filter((po) => / held /.test(po)).length;

describe('a PO that is called by a name', () => {
  test.each(['cancel #', 'storno #', 'void #', '# STORNO', 'CANCEL #', '# CANCEL', '# annulliert', 'HOLD #'])(
    'is asked about as %s, and the name alone is held while nobody has answered',
    async (written) => {
      const { own, file, row } = nameFiles();
      await drop('1.csv', file(row(own('Miller'), 'S1', 1), row(own('Jones'), 'S2', 2)));
      const taken = written.replace('#', own('Brown'));
      const night = await drop('2.csv', file(row(taken, 'S9', 9), row(own('Green'), 'S4', 4)));
      expect(night.pos).toEqual([`${taken} held question`, `${own('Green')} ready`]);
      const later = await drop('3.csv', file(row(own('Brown'), 'S3', 3)));
      expect(later.pos).toEqual([`${own('Brown')} held similar_po`]);
    },
  );

  test('is held with any words beside it, if it orders the same', async () => {
    const { own, file, row } = nameFiles();
    const [one, two] = [own('Smith bath'), own('Lee')];
    await drop('1.csv', file(row(one, 'S1', 1), row(two, 'S2', 2)));
    const beside = [
      `${one} dup`,
      `(dup) ${two}`,
      `${two} rev B`,
      `new ${one} again`,
      `${one}, ${own('Ray')}`,
    ];
    const quantityOf = (name: string) => (name.includes(one) ? row(name, 'S1', 1) : row(name, 'S2', 2));
    const night = await drop('2.csv', file(...beside.map(quantityOf), row(own('Smith garage'), 'S1', 1)));
    expect(held(night.pos)).toBe(beside.length);
    expect(night.pos.at(-1)).toBe(`${own('Smith garage')} ready`);
  });

  test('is another order where its words are those of another customer, or its lines are', async () => {
    const { own, file, row } = nameFiles();
    await drop('1.csv', file(row(own('Hall'), 'S1', 1), row(own('King'), 'S2', 2)));
    const night = await drop(
      '2.csv',
      file(row(`${own('Hall')} kitchen`, 'S1', 5), row(own('Wood'), 'S2', 2)),
    );
    expect(held(night.pos)).toBe(0);
  });

  test('is asked about in the first file, too, which nobody has agreed to', async () => {
    const first = await dropUnseen(
      'first.csv',
      'PO Number,SKU,Qty\nNash kitchen,S1,1\nMoore,S2,1\ncancel Moore,S2,1\nTotal Fitness,S3,1\n',
    );
    const pos = (await whyItWaits(first.importId)) === null ? first.pos : await agree(first.importId);
    expect(pos).toContain('Nash kitchen ready');
    expect(pos.filter((po) => /Moore|Fitness/.test(po) && po.endsWith('ready'))).toEqual([]);
  });
});

test('who has one with words beside its number ordered is not asked about the same words again', async () => {
  const { file, row } = nameFiles();
  await drop('1.csv', file(row('94801', 'S1', 1), row('94802', 'S1', 2)));
  const night = await drop('2.csv', file(row('94803 rush', 'S1', 3), row('94804 storno', 'S1', 4)));
  expect(held(night.pos)).toBe(2);
  for (const { id } of await questionsOf(night.importId)) await answer(id, { answer: 'order' });
  const next = await drop(
    '3.csv',
    file(row('94805 rush', 'S1', 5), row('94806 storno', 'S1', 6), row('94807 late', 'S1', 7)),
  );
  expect(next.pos).toEqual(['94805 rush ready', '94806 storno held question', '94807 late held question']);
});

test('who has all other new numbers ordered is asked about several in one cell', async () => {
  const { file, row } = nameFiles();
  await drop('1.csv', file(row('84801', 'S1', 1), row('84802', 'S1', 2)));
  const night = await drop('2.csv', file(row('84803 rush', 'S1', 3)));
  const [question] = await questionsOf(night.importId);
  await answer(question!.id, { answer: 'order', wholeColumn: true });
  const next = await drop('3.csv', file(row('84804, 84805', 'S1', 4), row('84806 late', 'S1', 5)));
  expect(next.pos).toEqual(['84804, 84805 held question', '84806 late ready']);
});

test('a short text below the lines makes the file wait once, and the last PO is ordered each night', async () => {
  const header = 'PO Number,SKU,Qty,Short foot';
  const night = (day: number, ...numbers: string[]) =>
    `${header}\n${numbers.map((number) => `${number},S1,1,x\n`).join('')}\nExported 2026-11-2${day} by Bob\n`;
  const first = await dropUnseen('1.csv', night(1, '74801', '74802'));
  expect(await whyItWaits(first.importId)).toContain('Exported');
  expect(await agree(first.importId)).toEqual(['74801 ready', '74802 ready']);
  for (const day of [2, 3]) {
    const next = await dropUnseen(`${day}.csv`, night(day, `7480${day}1`, `7480${day}2`));
    expect([await whyItWaits(next.importId), next.pos]).toEqual([
      null,
      [`7480${day}1 ready`, `7480${day}2 ready`],
    ]);
  }
});

test('what is agreed of a text below the lines is said of no number, and of nothing that takes a PO back', async () => {
  const file = (...rows: string[]) =>
    `PO Number,SKU,Qty,Agreed text\n${rows.map((row) => `${row}\n`).join('')}`;
  const first = await dropUnseen('1.csv', file('64801,S1,1,x', 'see the other list', '64802 CANCELLED'));
  await agree(first.importId);
  for (const text of ['"64803, 64804"', '---', '64805 CANCELLED']) {
    const number = `6490${text.length}`;
    const next = await dropUnseen(`${text.length}.csv`, file(`${number},S1,1,x`, text));
    const waits = (await whyItWaits(next.importId)) !== null;
    // It is rejected, held or asked about, but never just skipped.
    expect([text, waits || next.pos.length > 1]).toEqual([text, true]);
  }
});
