import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LayoutsAnswer } from '../../src/api-contract/layouts.ts';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { useUploads } from './use-uploads.ts';

const desk = useUploads();
const { call, done, read } = desk;

const week = {
  account: 'north',
  name: 'Week',
  header: ['Beleg', 'Ware', 'Anz', 'Datum'],
  settings: { columns: { Beleg: 'po_number', Ware: 'item_sku', Anz: 'quantity' } },
  values: { Datum: { ' *': 'seen' } },
};

const drop = async (name: string, content: string) => {
  const path = join(desk.rootOf('north'), `dropped ${name}`);
  await writeFile(path, content);
  const { importId } = await desk.open('north').claims.claimCopy(path, { fileName: name });
  return { importId, pos: await read(importId) };
};

test('a layout that a program puts reads the files that wait, and the next ones; the same again changes nothing', async () => {
  const waits = await drop('a.csv', 'Beleg;Ware;Anz;Datum\nP-1;AX-1;5;x\n');
  expect(waits.pos).toEqual([]);
  const put = await done<{ sentence: string; id: string }>('PUT', '/layouts', week);
  expect(put).toMatchObject({
    change: 'new',
    version: 1,
    sentence: 'The layout "Week" of north is recorded as version 1. One file that waited is read again now.',
  });
  expect(desk.queued).toEqual([waits.importId]);
  expect(await read(waits.importId)).toEqual(['P-1 ready']);
  expect((await drop('b.csv', 'Anz;Datum;Beleg;Ware\n4;x;P-2;AX-2\n')).pos).toEqual(['P-2 ready']);

  // Although more is known about its files now.
  expect(await done('PUT', '/layouts', week)).toMatchObject({ change: 'same', version: 1, id: put.id });
  const changed = { ...week, settings: { ...week.settings, decimal: 'comma' } };
  expect(await done('PUT', '/layouts', changed)).toMatchObject({
    change: 'changed',
    version: 2,
    sentence: 'The layout "Week" of north is recorded as version 2, which differs in: decimal.',
  });
  const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north&versions=all');
  expect(items.map(({ version, who }) => [version, who])).toEqual([
    [2, 'Olga'],
    [1, 'Olga'],
  ]);
});

describe('a layout that says what the columns mean, and not what the others say', () => {
  const header = ['Beleg', 'Ware', 'Anz', 'Zustand', 'Einheit'];
  const put = (kind: string, values?: object) =>
    done('PUT', '/layouts', { ...week, name: kind, header: [...header, kind], ...{ values } });
  const file = (kind: string, ...rows: string[]) => [[...header, kind].join(';'), ...rows, ''].join('\n');
  const whyItWaits = async (importId: string): Promise<string> => {
    const { rows } = await desk.use.deps.pool.query('select reason_text from imports where id = $1', [
      importId,
    ]);
    return rows[0].reason_text;
  };

  test('its first file waits for somebody to look at them', async () => {
    await put('A');
    const first = await drop('1.csv', file('A', 'A-1;AX-1;1;Cancelled;DZ;', 'A-2;AX-1;1;Open;EA;'));
    expect(first.pos).toEqual([]);
    expect(await whyItWaits(first.importId)).toMatch(/"Zustand" says "Cancelled".*"Einheit" says "DZ"/);
    const { upload } = await done<UploadAnswer>('POST', `/imports/${first.importId}/reread`);
    await done('PUT', `/uploads/${upload.id}/mapping`, { mapping: week.settings });
    await desk.confirm(upload.id);
    expect(await read(first.importId)).toEqual(['A-1 ready', 'A-2 ready']);
    expect((await drop('2.csv', file('A', 'A-3;AX-1;1;Open;CS;'))).pos).toEqual(['A-3 held question']);
  });

  test('what it says of some columns is not asked', async () => {
    await put('B', { Zustand: { Open: 'seen' } });
    const first = await drop('1.csv', file('B', 'B-1;AX-1;1;Cancelled;PK;'));
    expect(await whyItWaits(first.importId)).toMatch(/^Nobody .*: "Einheit" says "PK" \(1 row\)\. /);
    await put('B', { Zustand: { Open: 'seen' }, Einheit: { PK: 'pieces 12' } });
    expect(await read(first.importId)).toEqual(['B-1 held question']);
  });

  test('what it says of an open question answers it', async () => {
    await put('D', { Zustand: { Open: 'order' }, Einheit: { EA: 'order' } });
    const first = await drop('1.csv', file('D', 'D-1;AX-1;1;Cancelled;EA;', 'D-2;AX-1;2;Open;DZ;'));
    expect(first.pos).toEqual(['D-1 held question', 'D-2 held question']);
    await put('D', {
      Zustand: { Open: 'order', Cancelled: 'leave_out' },
      Einheit: { EA: 'order', DZ: 'pieces 12' },
    });
    expect(await read(first.importId)).toEqual(['D-1 cancelled left_out', 'D-2 ready']);
  });

  test('nothing is left out, or counted in pieces, for what only looks like a number that was seen', async () => {
    for (const [answer, why] of [
      ['leave_out', 'covers all PO numbers'],
      ['pieces 12', 'is a PO number or an item'],
    ] as const) {
      const values = { ' PO numbers': { 'one number or code': answer } };
      const refused = await desk.call('PUT', '/layouts', {
        ...week,
        name: 'E',
        header: [...header, 'E'],
        values,
      });
      expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining(why)]);
    }
  });

  test('where they say nothing, its files are read, and what they say later is asked', async () => {
    await put('C', { Einheit: { EA: 'seen' } });
    expect((await drop('1.csv', file('C', 'C-1;AX-1;1;;EA;'))).pos).toEqual(['C-1 ready']);
    expect((await drop('2.csv', file('C', 'C-2;AX-1;1;Cancelled;EA;'))).pos).toEqual(['C-2 held question']);
  });
});

test('of two rows of a header, the upper one is no title', async () => {
  const header = ['Order Nr', 'Order Ware', 'Ship Anz'];
  const columns = { 'Order Nr': 'po_number', 'Order Ware': 'item_sku', 'Ship Anz': 'quantity' };
  await done('PUT', '/layouts', {
    account: 'north',
    name: 'Two',
    header,
    settings: { columns, headerRows: 2 },
  });
  expect((await drop('two.csv', 'Order,,Ship\nNr,Ware,Anz\nT-1,AX-1,3\n')).pos).toEqual(['T-1 ready']);
});

test('a layout for files without a header, and one of files that are no order', async () => {
  const settings = { header: 'none', columns: { 1: 'po_number', 2: 'item_sku', 5: 'quantity' } };
  const values = { 3: { ' *': 'seen' }, D: { b: 'seen' } };
  const bare = { account: 'north', name: 'Bare', header: [], width: 5, settings, values };
  expect(await done('PUT', '/layouts', bare)).toMatchObject({ change: 'new' });
  expect((await drop('bare.csv', 'N-1;AX-1;a;b;5\n')).pos).toEqual(['N-1 ready']);
  const prices = { account: 'north', name: 'Prices', kind: 'no_order', header: ['Artikelnr', 'Preisliste'] };
  expect(await done('PUT', '/layouts', prices)).toMatchObject({ change: 'new' });
  const { importId } = await drop('prices.csv', 'Artikelnr;Preisliste\nA;1\n');
  const { rows } = await desk.use.deps.pool.query('select state, reason_code from imports where id = $1', [
    importId,
  ]);
  expect(rows).toEqual([{ state: 'refused', reason_code: 'no_order' }]);
});

test.each([
  [
    'a field that does not exist',
    { ...week, settings: { columns: { Beleg: 'po' } } },
    'settings.columns.Beleg',
  ],
  [
    'a column that is not in the header',
    { ...week, header: ['Beleg', 'Ware', 'Anzahl'] },
    'settings.columns',
  ],
  ['no name', { ...week, name: ' ' }, 'name'],
  [
    'a value of a column beyond the file',
    {
      ...{ account: 'north', name: 'Bare', header: [], width: 5, values: { 9: { x: 'seen' } } },
      settings: { header: 'none', columns: { 1: 'po_number', 2: 'item_sku', 5: 'quantity' } },
    },
    'values.9',
  ],
  [
    'an unknown encoding',
    { ...week, settings: { ...week.settings, encoding: 'utf-9' } },
    'settings.encoding',
  ],
  ['a character that Postgres cannot store', { ...week, header: [...week.header, 'a\0'] }, 'header'],
])('what is wrong is named with its field: %s', async (_, body, field) => {
  const response = await call('PUT', '/layouts', body);
  expect(response.statusCode, response.body).toBe(422);
  expect(response.json().errors[0].field).toMatch(field);
});

test('needs the right to act, for this account', async () => {
  const viewer = await desk.use.signedIn('viewer', null, 'Vera');
  expect((await call('PUT', '/layouts', week, viewer)).statusCode).toBe(403);
  const south = await desk.use.signedIn('operator', ['south'], 'Sam');
  expect((await call('PUT', '/layouts', week, south)).statusCode).toBe(404);
  expect((await call('PUT', '/layouts', { ...week, account: 'nowhere' })).statusCode).toBe(404);
});
