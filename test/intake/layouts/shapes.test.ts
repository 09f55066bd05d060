import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { knownOf, type StoredValues } from '../../../src/intake/layouts/known-values.ts';
import type { Layout } from '../../../src/intake/layouts/layout.ts';
import { layoutKey } from '../../../src/intake/layouts/layout-key.ts';
import { shapeKey } from '../../../src/intake/layouts/shapes.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { CheckedRow, RowIssue } from '../../../src/intake/types.ts';
import { askedOf } from '../support/import-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'cartwright-shapes-'));
afterAll(() => rm(folder, { recursive: true }));

const header = ['PO Number', 'SKU', 'Qty'];

/** Reads a file with an agreed header and these known values. */
const read = async (lines: readonly string[], known: StoredValues) => {
  const path = join(folder, 'a.csv');
  await writeFile(path, `${header}\n${lines.join('\n')}\n`);
  const rows: CheckedRow[] = [];
  const issues: RowIssue[] = [];
  const layout: Layout = {
    ...{ id: '1', headerKey: layoutKey(header), header, name: 'nightly', version: 1, kind: 'order' },
    ...{ settings: {}, known: knownOf(known), who: 'anna', via: 'console', confirmedAt: new Date() },
  };
  const outcome = await importPurchaseFile({
    ...{ path, fileName: 'a.csv', codeLists: specCodeLists, layouts: [layout] },
    options: intakeOptionsSchema.parse({}),
    stage: {
      add: async (more, found) => {
        rows.push(...more);
        issues.push(...found);
      },
    },
  });
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  const questions = issues.filter(({ code }) => code === 'question');
  return {
    wrong: issues.filter(({ severity }) => severity === 'issue').map(({ column }) => column),
    seen: outcome.seen,
    ordered: rows.map(({ poNumber }) => poNumber),
    asked: questions.map(({ poNumber }) => poNumber),
    questions,
  };
};

const numbers = {
  ' PO numbers': { 'one number or code': 'seen' },
  ' items': { 'one number or code': 'seen' },
} as const;

test('identifiers are compared by what they look like', () => {
  const of = (...texts: string[]) => [...new Set(texts.map(shapeKey))];
  expect(
    of('4711', 'PO-4711', 'PO 4711', 'P.O. 4711', 'No. 4711-B', '２０２６/11', '4711 12', 'T4711'),
  ).toEqual(['one number or code']);
  expect(of('STOCK', 'Sara Miller', 'see above', 'Terms:')).toEqual(['only words']);
  expect(of('Page 1', '2 POs', 'Sara 4711', 'Printed 11/20/2026')).toEqual(['words with a number']);
  expect(of('4711, 4712', '4711;4712', '4711 / 4712', '4711 & PO-4712', '4711\n4712')).toEqual([
    'several numbers',
  ]);
  expect(of('', '  ')).toEqual(['']);
});

describe('of a header that is agreed', () => {
  test.each(['see above', 'Page 1', '"4711, 4712"', 'TRAILER'])(
    'a PO number that looks like none before waits, and the others go on: %s',
    async (odd) => {
      const { asked, ordered, questions } = await read(['4711,A-1,2', `${odd},A-2,3`, '4713,A-3,1'], numbers);
      expect(asked).toEqual([odd.replaceAll('"', '')]);
      expect(ordered).toHaveLength(3);
      expect(questions[0]!.message).toContain('which no file with this header said before');
    },
  );

  test('an item that looks like none before waits with its PO', async () => {
    const { asked } = await read(['4711,A-1,2', '4712,Freight,1'], numbers);
    expect(asked).toEqual(['4712']);
  });

  test.each(['5/1/2024', '01.05.2024', '2026-12-01 00:00:00', '00:30:00'])(
    'a date is no item, but can be the number of a PO: %s',
    async (day) => {
      const plain = ['4712', '4713', '4714', '4715', '4716', '4717'].map((number) => `${number},A-1,1`);
      const { asked, questions } = await read([`4711,${day},2`, ...plain, `${day},A-1,1`], numbers);
      expect(asked).toEqual(['4711']);
      expect(questions[0]!.message).toContain('which a spreadsheet may have made of another number');
    },
  );

  test('what somebody has answered is done for this one, and the next one of that form is asked about', async () => {
    const answered = (answer: 'order' | 'leave_out') => ({
      ...numbers,
      ' PO numbers': { ...numbers[' PO numbers'], stock: answer },
    });
    const lines = ['4711,A-1,2', 'Stock,A-2,3', 'SPRING,A-2,3'];
    expect(await read(lines, answered('order'))).toMatchObject({
      asked: ['SPRING'],
      ordered: ['4711', 'Stock', 'SPRING'],
    });
    expect(await read(lines, answered('leave_out'))).toMatchObject({
      asked: ['SPRING'],
      ordered: ['4711', 'SPRING'],
    });
  });

  test('all of them are known where the dealer has always had such ones, or a person says so', async () => {
    const usual = { ...numbers, ' PO numbers': { ...numbers[' PO numbers'], 'only words': 'seen' as const } };
    const said = { ...numbers, ' PO numbers': { ...numbers[' PO numbers'], ' *': 'order' as const } };
    for (const known of [usual, said])
      expect((await read(['4711,A-1,2', 'STOCK,A-2,3', 'SPRING,A-2,3'], known)).asked).toEqual([]);
  });

  test('a PO number that is agreed can still break a rule', async () => {
    const stock = {
      ...numbers,
      ' PO numbers': { ...numbers[' PO numbers'], 'sto\u202eck': 'order' as const },
    };
    const { wrong } = await read(['4711,A-1,2', 'STO\u202eCK,A-2,3'], stock);
    expect(wrong).toEqual(['PO Number']);
  });

  test('nothing is asked where an earlier version has not looked, and what the file has is known from then on', async () => {
    const keysOf = async (...lines: string[]) => {
      const { asked, seen } = await read(lines, {});
      expect(asked).toEqual([]);
      return seen.find(({ column }) => column === ' PO numbers')!.values.map(({ key }) => key);
    };
    expect(await keysOf('4711,A-1,2', 'STOCK,A-2,3')).toEqual(['one number or code', 'only words']);
    // A word among numbers is an exception, so others raise questions.
    expect(await keysOf('4711,A-1,2', '4712,A-1,2', 'STOCK,A-2,3')).toEqual(['one number or code', 'stock']);
  });
});

test('the first file of a header is asked about where some PO numbers are plain and others have something beside them', async () => {
  const file = (...pos: string[]) => `${header}\n${pos.map((po) => `${po},A-1,2\n`).join('')}`;
  expect(await askedOf(file('4711', '4712', 'STOCK'))).toContain('"STOCK" (1 row)');
  expect(await askedOf(file('4711', '4712', '4713'))).toBeUndefined();
  expect(await askedOf(file('SPRING', 'SUMMER', '4711'))).toBeUndefined();
  expect(await askedOf(file('Online 4711', 'Phone 4712'))).toBeUndefined();
  expect(await askedOf(file('4711 A', '4711 B', '4712'))).toBeUndefined();
  expect(await askedOf(file('2026 - 001', '2026 - 002', '4711'))).toBeUndefined();
  expect(await askedOf(file('2026/11/001', '2026/11/002'))).toBeUndefined();
  for (const odd of [
    ['4712 rush'],
    ['4712 rush', '4713 rush', '4714 urgent'],
    ['4712 n/a'],
    ['✗ 4712'],
    ['4712 ?'],
  ])
    expect(await askedOf(file('4711', ...odd))).toContain(`"${odd[0]}" (1 row)`);
});

test('and where few of its items have words besides a number, as a remark beside an item does', async () => {
  const file = (...items: string[]) =>
    `${header}\n${items.map((item, at) => `${4711 + at},${item},2\n`).join('')}`;
  const plain = Array.from({ length: 20 }, (_, at) => `AX-${1000 + at}`);
  expect(await askedOf(file(...plain, 'AX-1009 zrušeno'))).toContain('"AX-1009 zrušeno" (1 row)');
  expect(await askedOf(file(...plain, 'JAN', '\u041c-10'))).toBeUndefined();
  expect(await askedOf(file(...plain.slice(0, 4), 'AX-1009 zrušeno'))).toContain('zrušeno');
  expect(await askedOf(file(...plain.slice(0, 5), 'Bolt M8', 'Hinge M6'))).toBeUndefined();
});
