import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { specCodeLists } from '../../../src/contract/carts.ts';
import { importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { layoutOfMapping, readSaid } from '../../../src/intake/layout-of-mapping.ts';
import { describing, type KnownValue } from '../../../src/intake/layouts/answers.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { RowIssue } from '../../../src/intake/types.ts';

const folder = await mkdtemp(join(tmpdir(), 'cartwright-free-texts-'));
afterAll(() => rm(folder, { recursive: true }));

const account = { intake: intakeOptionsSchema.parse({}), codeLists: specCodeLists };

/** @param items the items of the rows; by default all different */
const fileOf = async (name: string, texts: readonly string[], items = texts.map((_, at) => `A-${at}`)) => {
  const path = join(folder, name);
  const rows = texts.map((text, at) => `P-${at},${items[at]},2,${text}\n`);
  await writeFile(path, `PO Number,SKU,Qty,Zustandstext\n${rows.join('')}`);
  return { path, fileName: name };
};
const said = async (file: { path: string; fileName: string }) => readSaid(account, file, {}, []);

const nights = ['Montag', 'Dienstag', 'Mittwoch', 'Donnerstag', 'Freitag', 'Samstag', 'Sonntag'];
const many = [...nights, ...nights].map((day, at) => `${day} ans Tor ${at} bringen`);

test('of many different texts those are asked about that say not to order, wherever they stand', async () => {
  for (const at of [0, 5, many.length]) {
    const texts = many.toSpliced(at, 0, 'STORNIERT');
    const { unsaid, seen } = await said(await fileOf(`many-${at}.csv`, texts));
    expect(unsaid).toMatchObject([{ header: 'Zustandstext', values: [{ text: 'STORNIERT', rows: 1 }] }]);
    expect(seen.flatMap(({ values }) => values.map(({ key }) => key))).toContain(describing);
  }
  expect((await said(await fileOf('many.csv', many))).unsaid).toEqual([]);
});

test('what was agreed about such a column counts in files with a few texts, too', async () => {
  const first = await fileOf('first.csv', [...many, 'STORNIERT']);
  const { seen } = await said(first);
  const made = await layoutOfMapping(account, first, {});
  if (made.kind !== 'layout') throw new Error(made.message);
  const known = new Map(
    seen.map(({ column, values }) => [
      column,
      new Map<string, KnownValue>(values.map(({ key }) => [key, key === 'storniert' ? 'leave_out' : 'seen'])),
    ]),
  );
  const issues: RowIssue[] = [];
  const outcome = await importPurchaseFile({
    ...(await fileOf('later.csv', ['Ostern ans Tor bringen', 'Storniert', 'nicht liefern'])),
    options: account.intake,
    codeLists: specCodeLists,
    layouts: [
      {
        ...{ id: '1', name: 'usual', version: 1, kind: 'order', who: 'anna', via: 'console' },
        ...{ confirmedAt: new Date(), ...made.layout, known },
      },
    ],
    stage: { add: async (_, found) => void issues.push(...found) },
  });
  expect(outcome.kind).toBe('read');
  expect(issues.flatMap(({ code, found }) => (code === 'question' ? [found] : []))).toEqual([
    'nicht liefern',
  ]);
});

test('what many texts say not to order is shown, also where they may describe the items', async () => {
  const { unsaid, seen } = await said(await fileOf('both.csv', [...many, 'STORNIERT']));
  expect(unsaid).toMatchObject([{ values: [{ text: 'STORNIERT' }] }]);
  expect(unsaid[0]!.mayDescribe).toBeUndefined();
  expect(seen.flatMap(({ values }) => values.map(({ key }) => key))).toEqual(
    expect.arrayContaining([describing, 'storniert']),
  );
});

test('a column describes the items only if an item that comes again has its text again', async () => {
  const texts = ['Montag ans Tor bringen', 'im Keller einlagern', 'mit dem Kran abladen', 'hinten abstellen'];
  const once = await said(await fileOf('once.csv', texts));
  expect(once.unsaid).toMatchObject([{ header: 'Zustandstext', mayDescribe: true }]);
  expect(once.seen.flatMap(({ values }) => values.map(({ key }) => key))).not.toContain(describing);
  const items = ['A-0', 'A-1', 'A-2', 'A-3', 'A-1'];
  const again = await said(await fileOf('again.csv', [...texts, texts[1]!], items));
  expect(again.seen.find(({ header }) => header === 'Zustandstext')?.values).toMatchObject([
    { key: describing },
  ]);
});
