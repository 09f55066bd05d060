import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { tidyUploads } from '../../src/console/uploads/tidy-uploads.ts';
import { createUploadDesk } from '../../src/console/uploads/upload-desk.ts';
import { createUploadPlaces } from '../../src/console/uploads/upload-places.ts';
import { privateCopyPath } from '../../src/intake/inbox/claim-id.ts';
import { confirmUpload } from '../../src/ledger/console/confirm-uploads.ts';
import { findUpload } from '../../src/ledger/console/uploads.ts';
import { silentLogger } from '../../src/logger.ts';
import { bodyOf, csv, useUploads } from './use-uploads.ts';

const { use, rootOf, queued, send, upload, call, done, preview, confirm, read, waiting } = useUploads();

test('a file with own headers is mapped, previewed, confirmed, and read with the mapping', async () => {
  const {
    upload: draft,
    reading,
    proposal,
    fields,
  } = await upload(
    'weekly.csv',
    'Belegnummer;Teil;Wieviel;Empfänger\n4711;A-1;5;Bo\n4711;A-2;2;Bo\n4712;A-1;1;Cy\n',
  );
  expect(draft).toMatchObject({ fileName: 'weekly.csv', uploadedBy: 'Olga', state: 'draft', knownAs: null });
  expect(reading).toMatchObject({
    kind: 'refused',
    message: expect.stringContaining('In the mapping below'),
  });
  expect(JSON.stringify({ reading, proposal })).not.toContain('cartwright map');
  expect(
    proposal.kind === 'proposed' && proposal.columns.map(({ header, samples }) => [header, samples[0]]),
  ).toEqual([
    ['Belegnummer', '4711'],
    ['Teil', 'A-1'],
    ['Wieviel', '5'],
    ['Empfänger', 'Bo'],
  ]);
  expect(fields.filter(({ needed }) => needed).map(({ label }) => label)).toEqual([
    'PO number',
    'Item (SKU)',
    'Quantity',
  ]);

  const columns = { Belegnummer: 'po_number', Teil: 'item_sku', Wieviel: 'quantity', Empfänger: 'ship_name' };
  const mapped = await done<UploadAnswer>('PUT', `/uploads/${draft.id}/mapping`, { mapping: { columns } });
  expect(mapped.reading).toMatchObject({ kind: 'read', howItWasRead: { delimiter: ';', headerRow: 1 } });
  expect(mapped.proposal).toMatchObject({ missing: [], mapping: { columns } });

  const seen = await preview(draft.id);
  expect(seen).toMatchObject({
    kind: 'read',
    counts: { ready: 2, rejected: 0, lines: 3, issues: 0 },
    sums: { lines: 3, pieces: 8, goods: null },
    purchaseOrders: [{ poNumber: '4711', lineCount: 2, outcome: 'ready' }, { poNumber: '4712' }],
  });
  expect((await use.deps.pool.query('select from imports')).rowCount).toBe(0);

  const { sentence, upload: confirmed } = await confirm(draft.id, {
    as: 'order',
    expectedPos: 2,
    note: 'by phone',
  });
  expect(sentence).toContain(`import ${confirmed.importId}`);
  expect(queued).toEqual([confirmed.importId]);
  expect(await waiting()).toEqual([]);
  expect(await read(confirmed.importId)).toEqual(['4711 ready', '4712 ready']);
  expect(await readdir(join(rootOf('north'), 'done'))).toEqual(['weekly.csv']);
  const activity = await done<{ items: object[] }>('GET', '/activity?account=north');
  expect(activity.items[0]).toMatchObject({
    who: 'Olga',
    via: 'console',
    action: 'uploaded',
    importId: confirmed.importId,
    note: 'by phone',
  });
  // The settings of the account do not change.
  expect((await upload('again.csv', 'Belegnummer;Teil;Wieviel\n1;2;3\n')).reading.kind).toBe('refused');
});

test('the same content again is said, and not ordered again', async () => {
  const first = await confirm((await upload('one.csv', csv('TWICE'))).upload.id);
  await read(first.upload.importId);
  const again = await upload('two.csv', csv('TWICE'));
  expect(again.upload.knownAs).toMatchObject({ id: first.upload.importId, fileName: 'one.csv' });
  const second = await confirm(again.upload.id);
  expect(second.sentence).toContain(`identical to import ${first.upload.importId}`);
  expect(queued).toEqual([first.upload.importId]);
});

test('a quote stays a quote', async () => {
  const { upload: confirmed } = await confirm((await upload('q.csv', csv('QUOTE'))).upload.id, {
    as: 'quote',
  });
  const { rows } = await use.deps.pool.query('select quote_only from imports where id = $1', [
    confirmed.importId,
  ]);
  expect(rows).toEqual([{ quote_only: true }]);
});

test('the preview shows issues by row, and quantities far beyond those before', async () => {
  await use.deps.pool.query(
    `insert into largest_orders (account, item, quantity) values ('north', 'A-1', 20), ('north', '', 30)`,
  );
  const { upload: draft } = await upload('odd.csv', `${csv('BIG', 900)}BAD,A-1,many\nNEW,Z-9,400\n`);
  expect(await preview(draft.id)).toMatchObject({
    counts: { ready: 0, held: 2, guarded: 2, rejected: 1, issues: 1 },
    issues: [{ rowNumber: 4, poNumber: 'BAD', column: 'Qty', found: 'many' }],
    unusual: [
      { poNumber: 'BIG', item: 'A-1', quantity: 900, largestOrdered: 20, ofItem: true },
      { poNumber: 'NEW', item: 'Z-9', quantity: 400, largestOrdered: 30, ofItem: false },
    ],
  });
});

test('the preview holds what the guards of the account will hold, and names what only the service can answer', async () => {
  const { upload: draft } = await upload(
    'dear.csv',
    'PO Number,SKU,Qty,Expected Price\nDEAR,A-1,1000,84.00\nFINE,A-1,10,84.00\n',
    'guarded',
  );
  const seen = await preview(draft.id);
  expect(seen).toMatchObject({
    counts: { ready: 1, held: 1, guarded: 1 },
    sums: { lines: 1, pieces: 10, goods: '840.00' },
    purchaseOrders: [
      {
        poNumber: 'DEAR',
        outcome: 'held',
        reason: expect.stringMatching(/84000\.00 at the prices of the file, above the limit of 50000\.00/),
      },
      { poNumber: 'FINE', outcome: 'ready' },
    ],
    mayStillRefuse: expect.stringMatching(/a price is more than 5 % above the price of the file/),
  });
  const { upload: confirmed } = await confirm(draft.id, { as: 'order', expectedPos: 1 });
  // Guards hold POs only when they are placed, so the ledger has them as ready.
  expect(await read(confirmed.importId)).toEqual(['DEAR ready', 'FINE ready']);
});

test('what would be ordered has changed since the preview: the second person is told', async () => {
  const first = await upload('a.csv', csv('RACE'));
  const second = await upload('b.csv', `${csv('RACE')}RACES,A-1,1\n`);
  await read((await confirm(first.upload.id)).upload.importId);
  const response = await call('POST', `/uploads/${second.upload.id}/confirm`, {
    as: 'order',
    expectedPos: 2,
  });
  expect([response.statusCode, response.json().detail]).toEqual([
    409,
    expect.stringContaining('1 PO to order instead of 2'),
  ]);
});

test('two persons confirm at once: one import, and the second person is told who was first', async () => {
  const { id } = (await upload('both.csv', csv('BOTH'))).upload;
  const other = await use.signedIn('operator', ['north'], 'Piet');
  const both = await Promise.all([
    call('POST', `/uploads/${id}/confirm`, { as: 'order' }),
    call('POST', `/uploads/${id}/confirm`, { as: 'order' }, other),
  ]);
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(both.find(({ statusCode }) => statusCode === 409)!.json().detail).toMatch(
    /^(Olga|Piet) has already confirmed/,
  );
  expect(queued).toHaveLength(1);
});

test('the second person reads who was first also where the file is gone already', async () => {
  const { id } = (await upload('late.csv', csv('LATE'))).upload;
  const stale = (await findUpload(use.deps.pool, id, null))!;
  await confirm(id);
  const desk = createUploadDesk(use.deps);
  const place = await desk.places.open(stale.account);
  await expect(desk.assertHere(place, stale)).rejects.toThrow(/^Olga has already confirmed this upload/);
});

test('the settings of a layout come back with the mapping, so that a change of one column keeps them', async () => {
  const { upload: draft, proposal } = await upload('shop.csv', 'Ref,Art,Stk,Memo\nS-1,A-1,5,x\n', 'south');
  expect(proposal).toMatchObject({
    mapping: {
      columns: { Ref: 'po_number', Art: 'item_sku', Stk: 'quantity' },
      constants: { comment1: 'web' },
    },
  });
  const mapping = proposal.kind === 'proposed' ? proposal.mapping : {};
  const columns = { ...mapping.columns, Memo: 'note' };
  await done('PUT', `/uploads/${draft.id}/mapping`, { mapping: { ...mapping, columns } });
  const { upload: confirmed } = await confirm(draft.id);
  expect(await read(confirmed.importId)).toEqual(['S-1 ready']);
  const { rows } = await use.deps.pool.query(
    `select l.note, p.options from lines l join purchase_orders p using (import_id, po_number) where import_id = $1`,
    [confirmed.importId],
  );
  expect(rows).toEqual([{ note: 'x', options: { comment1: 'web' } }]);
});

describe('reading again', () => {
  test('a refused file becomes a new import with the mapping', async () => {
    // This account refuses unknown files; the other one lets them wait (layouts.test.ts).
    const bad = await confirm((await upload('r.csv', 'Wer,Was,Wieviel\nR-1,A-1,5\n', 'machine')).upload.id);
    expect(bad.sentence).toMatch(/Nothing of it is ordered as it is: No header was found/);
    expect(await read(bad.upload.importId)).toEqual([]);
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${bad.upload.importId}/reread`, {});
    expect(draft).toMatchObject({ rereadOf: bad.upload.importId, fileName: 'r.csv', knownAs: null });
    const columns = { Wer: 'po_number', Was: 'item_sku', Wieviel: 'quantity' };
    await done('PUT', `/uploads/${draft.id}/mapping`, { mapping: { columns } });
    const good = await confirm(draft.id);
    expect(await read(good.upload.importId)).toEqual(['R-1 ready']);
    const third = await call('POST', `/imports/${bad.upload.importId}/reread`, {});
    expect([third.statusCode, third.json().detail]).toEqual([
      422,
      `This file was read again already, as import ${good.upload.importId}.`,
    ]);
  });

  test('POs that were not sent are withdrawn, and are no repetition or conflict for the second reading', async () => {
    const content = 'PO Number,SKU,Qty,Pieces\nW-1,A-1,1,10\nW-2,A-2,2,2\n';
    const first = await confirm((await upload('w.csv', content)).upload.id);
    expect(await read(first.upload.importId)).toEqual(['W-1 ready', 'W-2 ready']);
    const { upload: draft } = await done<UploadAnswer>(
      'POST',
      `/imports/${first.upload.importId}/reread`,
      {},
    );
    await done('PUT', `/uploads/${draft.id}/mapping`, {
      mapping: { columns: { Pieces: 'quantity', Qty: 'ignore' } },
    });
    expect(await preview(draft.id)).toMatchObject({
      counts: { ready: 2, conflicting: 0 },
      sums: { pieces: 12 },
    });
    // A preview withdraws nothing.
    expect(await read(first.upload.importId)).toEqual(['W-1 ready', 'W-2 ready']);
    const second = await confirm(draft.id, { as: 'order', expectedPos: 2 });
    expect(second.sentence).toMatch(/2 POs of it are ordered as soon as it is read\.$/);
    expect(await read(first.upload.importId)).toEqual([
      'W-1 cancelled read_again',
      'W-2 cancelled read_again',
    ]);
    expect(await read(second.upload.importId)).toEqual(['W-1 ready', 'W-2 ready']);
  });

  test.each([
    [
      'a call was recorded',
      `insert into intents (purchase_order_id, epoch, step) select id, 0, 'create_cart' from purchase_orders where po_number = $1`,
    ],
    [
      'a worker has it',
      `update purchase_orders set lease_owner = gen_random_uuid(), lease_until = now() + interval '1 minute' where po_number = $1`,
    ],
    ['it is ordered', `update purchase_orders set state = 'ordered' where po_number = $1`],
  ])('is refused by the ledger once %s', async (what, sql) => {
    const po = `SENT-${what.length}`;
    const first = await confirm((await upload('s.csv', csv(po))).upload.id);
    await read(first.upload.importId);
    const { upload: draft } = await done<UploadAnswer>(
      'POST',
      `/imports/${first.upload.importId}/reread`,
      {},
    );
    await use.deps.pool.query(sql, [po]);
    const late = await call('POST', `/uploads/${draft.id}/confirm`, { as: 'order' });
    expect([late.statusCode, late.json().detail]).toEqual([422, expect.stringContaining('already sent')]);
    expect((await call('POST', `/imports/${first.upload.importId}/reread`, {})).statusCode).toBe(422);
    expect(queued).toEqual([first.upload.importId]);
    await done('DELETE', `/uploads/${draft.id}`);
  });
});

describe('who may', () => {
  test('a viewer, a person of another account, an account whose folder is elsewhere', async () => {
    const { id } = (await upload('mine.csv', csv('MINE'))).upload;
    const viewer = await use.signedIn('viewer');
    const south = await use.signedIn('operator', ['south']);
    expect((await send(bodyOf('a.csv', csv('P')), 'north', viewer)).statusCode).toBe(403);
    expect((await send(bodyOf('a.csv', csv('P')), 'north', south)).statusCode).toBe(404);
    for (const [method, url, body] of [
      ['GET', `/uploads/${id}`, undefined],
      ['PUT', `/uploads/${id}/mapping`, { mapping: null }],
      ['POST', `/uploads/${id}/preview`, undefined],
      ['POST', `/uploads/${id}/confirm`, { as: 'order' }],
      ['DELETE', `/uploads/${id}`, undefined],
    ] as const) {
      expect((await call(method, url, body, south)).statusCode, url).toBe(404);
    }
    expect(JSON.stringify(await done('GET', '/uploads', undefined, south))).not.toContain(id);
    expect(JSON.stringify(await done('GET', '/uploads'))).toContain(id);
    const away = await send(bodyOf('a.csv', csv('P')), 'away');
    expect([away.statusCode, away.json().detail]).toEqual([422, expect.stringContaining('no folder yet')]);
    expect((await send(bodyOf('a.csv', csv('P')), 'nobody')).statusCode).toBe(404);
  });

  test('a mapping with an unknown field or encoding is answered with a sentence', async () => {
    const { id } = (await upload('m.csv', csv('M'))).upload;
    const field = await call('PUT', `/uploads/${id}/mapping`, { mapping: { columns: { SKU: 'colour' } } });
    expect([field.statusCode, field.json().code]).toEqual([422, 'invalid']);
    const encoding = await call('PUT', `/uploads/${id}/mapping`, { mapping: { encoding: 'klingon' } });
    expect([encoding.statusCode, encoding.json().detail]).toEqual([422, expect.stringContaining('klingon')]);
    expect(await preview(id)).toMatchObject({ kind: 'read' });
  });
});

describe('what is left', () => {
  const tidy = () =>
    tidyUploads({
      pool: use.deps.pool,
      places: createUploadPlaces(use.deps),
      logger: silentLogger,
      enqueue: use.deps.work.enqueueImports,
    });
  const age = (path: string) => utimes(path, new Date(0), new Date(0));

  test('discarded uploads, those of yesterday, and files without one are removed', async () => {
    const uploads = join(rootOf('south'), 'uploads');
    await mkdir(uploads, { recursive: true });
    const [discarded, old, kept] = [
      await upload('d.csv', csv('D'), 'south'),
      await upload('o.csv', csv('O'), 'south'),
      await upload('k.csv', csv('K'), 'south'),
    ];
    await done('DELETE', `/uploads/${discarded.upload.id}`);
    expect((await waiting('south')).length).toBe(2);
    await use.deps.pool.query(`update uploads set uploaded_at = now() - interval '25 hours' where id = $1`, [
      old.upload.id,
    ]);
    const lost = '.00000000-0000-4000-8000-000000000000.csv.1.tmp';
    await writeFile(join(uploads, lost), 'x');
    for (const name of [`${old.upload.id}.csv`, `${kept.upload.id}.csv`, lost])
      await age(join(uploads, name));
    await tidy();
    expect(await waiting('south')).toEqual([`${kept.upload.id}.csv`]);
    const gone = await call('POST', `/uploads/${old.upload.id}/confirm`, { as: 'order' });
    expect([gone.statusCode, gone.json().detail]).toEqual([409, expect.stringContaining('discarded')]);
    const shown = await call('GET', `/uploads/${old.upload.id}`);
    expect(shown.json()).toMatchObject({
      upload: { state: 'discarded' },
      proposal: { kind: 'refused', message: expect.stringContaining('was discarded') },
    });
    await done('DELETE', `/uploads/${kept.upload.id}`);
  });

  test('a process that stops between the decision and the claim: the next one goes on, once', async () => {
    const { id } = (await upload('crash.csv', 'Ref,Art,Stk\nC-1,A-1,5\n', 'north')).upload;
    const columns = { Ref: 'po_number', Art: 'item_sku', Stk: 'quantity' };
    await done('PUT', `/uploads/${id}/mapping`, { mapping: { columns } });
    const copyPath = privateCopyPath('quote-11111111-1111-4111-8111-111111111111', 'crash.csv');
    await confirmUpload(
      use.deps.pool,
      id,
      { copyPath, quoteOnly: true, note: undefined, seen: [], values: [] },
      { who: 'Olga', via: 'console' },
    );
    await tidy();
    expect(queued).toEqual([]);
    await use.deps.pool.query(
      `update uploads set confirmed_at = now() - interval '5 minutes' where id = $1`,
      [id],
    );
    await tidy();
    await tidy();
    expect(queued).toHaveLength(1);
    expect(await read(queued[0]!)).toEqual(['C-1 ready']);
    const { rows } = await use.deps.pool.query(
      'select quote_only, file_name from imports where id = $1',
      queued,
    );
    expect(rows).toEqual([{ quote_only: true, file_name: 'crash.csv' }]);
    expect(await readFile(join(rootOf('north'), 'quotes', 'crash.csv'), 'utf8')).toContain('C-1');
  });
});
