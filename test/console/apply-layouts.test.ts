import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LayoutsAnswer } from '../../src/api-contract/layouts.ts';
import { useUploads } from './use-uploads.ts';

const desk = useUploads();
const { call, done, read } = desk;

const week = {
  account: 'north',
  name: 'Week',
  header: ['Beleg', 'Ware', 'Anz', 'Datum'],
  settings: { columns: { Beleg: 'po_number', Ware: 'item_sku', Anz: 'quantity' } },
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
    sentence: 'The layout "Week" of north is recorded as version 1. One file that waited is read now.',
  });
  expect(desk.queued).toEqual([waits.importId]);
  expect(await read(waits.importId)).toEqual(['P-1 ready']);
  expect((await drop('b.csv', 'Anz;Datum;Beleg;Ware\n4;x;P-2;AX-2\n')).pos).toEqual(['P-2 ready']);

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

test('a layout for files without a header, and one of files that are no order', async () => {
  const settings = { header: 'none', columns: { 1: 'po_number', 2: 'item_sku', 5: 'quantity' } };
  const bare = { account: 'north', name: 'Bare', header: [], width: 5, settings };
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
