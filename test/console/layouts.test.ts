import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LayoutsAnswer } from '../../src/api-contract/layouts.ts';
import type { TodayAnswer } from '../../src/api-contract/today.ts';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { useUploads } from './use-uploads.ts';

const desk = useUploads();
const { done, call, read, confirm, preview } = desk;

/** Counts unknown systems: headers differ in each test, so that tests do not affect each other. */
let systems = 0;
const newSystem = () => {
  systems += 1;
  const name = `x${systems}`;
  return {
    headers: { po: `${name} Beleg`, item: `${name} Ware`, quantity: `${name} Anz` },
    file: (...lines: string[]) =>
      `${name} Beleg;${name} Ware;${name} Anz\n${lines.map((line) => `${line}\n`).join('')}`,
  };
};

/** Puts a file into the account's folder, and reads it like a worker. */
const drop = async (name: string, content: string, account = 'north') => {
  const path = join(desk.rootOf(account), `dropped ${name}`);
  await writeFile(path, content);
  const { importId } = await desk.open(account).claims.claimCopy(path, { fileName: name });
  const pos = await read(importId);
  return { importId, pos };
};

const stateOf = async (importId: string) => {
  const { rows } = await desk.use.deps.pool.query(
    'select state, reason_code, reason_text from imports where id = $1',
    [importId],
  );
  return rows[0];
};

/** Maps a waiting file in the console. */
const say = async (importId: string, columns: Record<string, string>) => {
  const draft = await done<UploadAnswer>('POST', `/imports/${importId}/reread`, {});
  await done('PUT', `/uploads/${draft.upload.id}/mapping`, { mapping: { columns } });
  const shown = await preview(draft.upload.id);
  expect(shown.kind).toBe('read');
  return confirm(draft.upload.id);
};

const columnsOf = ({ headers }: ReturnType<typeof newSystem>) => ({
  [headers.po]: 'po_number',
  [headers.item]: 'item_sku',
  [headers.quantity]: 'quantity',
});

const unknownIn = async (account = 'north') => {
  const { unknown } = await done<TodayAnswer>('GET', `/today?account=${account}`);
  return unknown;
};

describe('a file whose header nobody knows', () => {
  test('waits; one decision reads it and all that wait with its header, and the files of the next nights', async () => {
    const system = newSystem();
    const first = await drop('week-47.csv', system.file('P-1;AX-1;5'));
    const second = await drop('week-48.csv', system.file('P-2;AX-2;6'));
    expect([first.pos, second.pos]).toEqual([[], []]);
    expect(await stateOf(first.importId)).toMatchObject({ state: 'waiting', reason_code: 'columns_missing' });
    expect(await unknownIn()).toMatchObject([
      { files: 2, importId: first.importId, fileName: 'week-47.csv' },
    ]);

    const { sentence } = await say(first.importId, columnsOf(system));
    expect(sentence).toContain(
      `as import ${first.importId}. One more file that waited with this header is looked at again, too; what only it says is asked.`,
    );
    expect(desk.queued).toEqual(expect.arrayContaining([first.importId, second.importId]));
    expect(await read(first.importId)).toEqual(['P-1 ready']);
    expect(await read(second.importId)).toEqual(['P-2 ready']);
    expect(await unknownIn()).toEqual([]);

    expect((await drop('week-49.csv', system.file('P-3;AX-1;7'))).pos).toEqual(['P-3 ready']);
    const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
    expect(items.find(({ header }) => header.includes(system.headers.po))).toMatchObject({
      name: 'week',
      version: 1,
      who: 'Olga',
      via: 'console',
      files: 3,
    });
  });

  test('with the columns in another order is the same; with one more column it waits', async () => {
    const system = newSystem();
    const { importId } = await drop('a.csv', system.file('O-1;AX-1;5'));
    await say(importId, columnsOf(system));
    const { po, item, quantity } = system.headers;
    expect((await drop('b.csv', `${quantity};${po};${item}\n4;O-2;AX-2\n`)).pos).toEqual(['O-2 ready']);
    const more = await drop('c.csv', `${po};${item};${quantity};Rückstand\nO-3;AX-3;4;1\n`);
    expect(await stateOf(more.importId)).toMatchObject({ state: 'waiting' });
    // The proposal is the agreed layout plus the new columns.
    const { proposal, reading } = await done<UploadAnswer>('POST', `/imports/${more.importId}/reread`, {});
    expect(reading).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('"Rückstand" is new'),
    });
    expect(proposal).toMatchObject({
      kind: 'proposed',
      mapping: { columns: columnsOf(system) },
      missing: [],
    });
    expect((proposal as { columns: object[] }).columns).toMatchObject([
      { header: po, field: 'po_number', why: expect.stringContaining('as in the layout') },
      { header: item, field: 'item_sku', why: expect.stringContaining('as in the layout') },
      { header: quantity, field: 'quantity', why: expect.stringContaining('as in the layout') },
      { header: 'Rückstand', field: null },
    ]);
  });

  test('is known to one account alone', async () => {
    const system = newSystem();
    const { importId } = await drop('a.csv', system.file('S-1;AX-1;5'));
    await say(importId, columnsOf(system));
    expect((await stateOf((await drop('a.csv', system.file('S-2;AX-1;5'), 'south')).importId)).state).toBe(
      'waiting',
    );
  });

  test('waits again once its layout is removed, and what was read stays as it is', async () => {
    const system = newSystem();
    const { importId } = await drop('a.csv', system.file('R-1;AX-1;5'));
    await say(importId, columnsOf(system));
    expect(await read(importId)).toEqual(['R-1 ready']);
    const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
    const layout = items.find(({ header }) => header.includes(system.headers.po))!;
    await done('DELETE', `/layouts/${layout.id}`);
    expect((await call('DELETE', `/layouts/${layout.id}`)).statusCode).toBe(404);
    const next = await drop('b.csv', system.file('R-2;AX-1;5'));
    expect((await stateOf(next.importId)).state).toBe('waiting');
    expect(await read(importId)).toEqual(['R-1 ready']);
  });

  test('is not removed where something else than the layout says how its files are read', async () => {
    // An empty column has no values yet, and is watched from the first file on.
    await drop('standard.csv', 'PO Number,SKU,Qty,Depot 7\nST-1,AX-1,5,\n');
    const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
    const { id } = items.find(({ header }) => header.includes('Depot 7'))!;
    const answer = await call('DELETE', `/layouts/${id}`);
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      expect.stringContaining('There is nothing to remove.'),
    ]);
  });

  test('that is no order is refused, and with it the next ones if the person wants that', async () => {
    const system = newSystem();
    const first = await drop('prices.csv', system.file('N-1;AX-1;5'));
    const second = await drop('prices2.csv', system.file('N-2;AX-1;5'));
    await done('POST', `/imports/${first.importId}/no-order`, { allAlike: true, note: 'a price list' });
    expect((await stateOf(first.importId)).reason_text).toBe(
      'Olga said that this file is no order: a price list',
    );
    expect(await read(second.importId)).toEqual([]);
    expect(await stateOf(second.importId)).toMatchObject({ state: 'refused', reason_code: 'no_order' });
    expect((await call('POST', `/imports/${second.importId}/no-order`, {})).statusCode).toBe(409);
  });

  test('is decided about by one of two persons, who both look at it', async () => {
    const system = newSystem();
    const { importId } = await drop('a.csv', system.file('T-1;AX-1;5'));
    const drafts = await Promise.all(
      [1, 2].map(() => done<UploadAnswer>('POST', `/imports/${importId}/reread`, {})),
    );
    for (const { upload } of drafts)
      await done('PUT', `/uploads/${upload.id}/mapping`, { mapping: { columns: columnsOf(system) } });
    await Promise.all(
      drafts.map(({ upload }) => call('POST', `/uploads/${upload.id}/confirm`, { as: 'order' })),
    );
    await read(importId);
    const { rows } = await desk.use.deps.pool.query(
      `select count(*)::int as live from purchase_orders where account = 'north' and po_number = 'T-1' and state <> 'cancelled'`,
    );
    expect(rows[0].live).toBe(1);
  });
});

test('what a person said about an uploaded file counts for the files from the folder', async () => {
  const system = newSystem();
  const { upload } = await desk.upload('shop.csv', system.file('U-1;AX-1;5'));
  await done('PUT', `/uploads/${upload.id}/mapping`, { mapping: { columns: columnsOf(system) } });
  const confirmed = await confirm(upload.id, { as: 'order', layoutName: 'Shop export' });
  expect(await read(confirmed.upload.importId)).toEqual(['U-1 ready']);
  expect((await drop('night.csv', system.file('U-2;AX-1;5'))).pos).toEqual(['U-2 ready']);
  const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
  expect(items.map(({ name }) => name)).toContain('Shop export');
});

test('an account that only programs write to refuses such a file at once', async () => {
  const system = newSystem();
  const { importId } = await drop('a.csv', system.file('V-1;AX-1;5'), 'machine');
  expect((await stateOf(importId)).state).toBe('refused');
});

test('a file that waits stays in working/, and its bytes are safe', async () => {
  const system = newSystem();
  const { importId } = await drop('a.csv', system.file('W-1;AX-1;5'));
  expect((await stateOf(importId)).state).toBe('waiting');
  expect(await readdir(join(desk.rootOf('north'), 'failed')).catch(() => [])).not.toContain('a.csv');
});

test.each([
  [
    'Ordrex,Vare,Vare#,Stk,Stk+',
    { Ordrex: 'po_number', Vare: 'ignore', 'Vare#': 'item_sku', Stk: 'ignore', 'Stk+': 'quantity' },
  ],
  ['PO Number,SKU,Qty,QTY', { 'PO Number': 'po_number', SKU: 'item_sku', Qty: 'ignore', QTY: 'quantity' }],
])('columns whose names differ only by case or signs can be told apart: %s', async (header, columns) => {
  const width = header.split(',').length;
  const line = width === 5 ? 'X-1,wrong,AX-1,9,2' : 'X-2,AX-1,9,2';
  const { importId } = await drop('signs.csv', `${header}\n${line}\n`);
  expect((await stateOf(importId)).state).toBe('waiting');
  await say(importId, columns);
  expect(await read(importId)).toEqual([`X-${width === 5 ? 1 : 2} ready`]);
  const { rows } = await desk.use.deps.pool.query(
    'select item_sku, quantity from lines where import_id = $1',
    [importId],
  );
  expect(rows).toEqual([{ item_sku: 'AX-1', quantity: 2 }]);
});

describe('a list without a PO number', () => {
  const list = (kind: string, ...lines: string[]) =>
    `SKU,Qty,${kind}\n${lines.map((line) => `${line},\n`).join('')}`;
  const confirmWith = async (importId: string, mapping: object) => {
    const draft = await done<UploadAnswer>('POST', `/imports/${importId}/reread`, {});
    await done('PUT', `/uploads/${draft.upload.id}/mapping`, { mapping });
    expect((await preview(draft.upload.id)).kind).toBe('read');
    return confirm(draft.upload.id);
  };
  const numberOf = (pos: string[]) => pos[0]!.split(' ')[0]!;

  test('gets a number from Cartwright: another one for each file, and the same for the same bytes', async () => {
    const first = await drop('quick.csv', list('Made', 'AX-1,5', 'AX-2,3'));
    expect(await stateOf(first.importId)).toMatchObject({ state: 'waiting' });
    await confirmWith(first.importId, { poNumberFrom: { made: '{account}-{day}-{n}' } });
    const pos = await read(first.importId);
    expect(pos).toEqual([expect.stringMatching(/^north-\d{8}-\d{6} ready$/)]);

    const next = await drop('quick.csv', list('Made', 'AX-1,7'));
    expect(numberOf(next.pos)).not.toBe(numberOf(pos));
    // The same list under another name: nothing is ordered twice.
    const again = await drop('other name.csv', list('Made', 'AX-1,7'));
    expect(await stateOf(again.importId)).toMatchObject({ state: 'repeated' });
    // Also if its bytes are read again, because one of its POs was cancelled meanwhile.
    await desk.use.deps.pool.query(
      `update purchase_orders set state = 'cancelled', reason_code = 'operator' where import_id = $1`,
      [next.importId],
    );
    const anew = await drop('quick.csv', list('Made', 'AX-1,7'));
    expect(anew.pos).toEqual([`${numberOf(next.pos)} held was_cancelled`]);
  });

  test('has its number typed for each file: the next one waits for its own', async () => {
    const first = await drop('typed.csv', list('Typed', 'AX-1,5'));
    await confirmWith(first.importId, { poNumberFrom: { typed: true }, constants: { po_number: 'T-77' } });
    expect(await read(first.importId)).toEqual(['T-77 ready']);
    const next = await drop('typed.csv', list('Typed', 'AX-1,9'));
    expect(await stateOf(next.importId)).toMatchObject({
      state: 'waiting',
      reason_code: 'po_number_not_found',
      reason_text: expect.stringContaining('somebody types it for each of them'),
    });
    await confirmWith(next.importId, { poNumberFrom: { typed: true }, constants: { po_number: 'T-78' } });
    expect(await read(next.importId)).toEqual(['T-78 ready']);
  });

  test.each([{ made: '{account}' }, { made: '{n} of {m}' }, { typed: false }])(
    'a source that says nothing is refused in a sentence: %j',
    async (poNumberFrom) => {
      const first = await drop('odd.csv', list(`Odd ${JSON.stringify(poNumberFrom).length}`, 'AX-1,5'));
      const draft = await done<UploadAnswer>('POST', `/imports/${first.importId}/reread`, {});
      const answer = await call('PUT', `/uploads/${draft.upload.id}/mapping`, { mapping: { poNumberFrom } });
      expect(answer.statusCode).toBe(422);
    },
  );
});
