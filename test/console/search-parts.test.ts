import { beforeAll, describe, expect, test } from 'vitest';
import type { PurchaseOrdersAnswer } from '../../src/api-contract/purchase-orders.ts';
import type { SearchAnswer } from '../../src/api-contract/search.ts';
import { noteItems } from '../../src/ledger/item-numbers.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
let viewer: Record<string, string>;
let southViewer: Record<string, string>;

const read = async <Answer>(path: string, headers = viewer): Promise<Answer> => {
  const answer = await use.app.inject({ url: `/api/v1${path}`, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>();
};
const found = async (q: string, kind: string, headers = viewer): Promise<string[]> => {
  const { groups } = await read<SearchAnswer>(`/search?q=${encodeURIComponent(q)}`, headers);
  return groups.find((group) => group.kind === kind)?.hits.map(({ matched }) => matched) ?? [];
};

beforeAll(async () => {
  const { pool } = use.deps;
  viewer = await use.signedIn('viewer');
  southViewer = await use.signedIn('viewer', ['south']);
  for (const [account, file, numbers] of [
    ['north', 'northside-autumn-restock.csv', ['NS-4711-B', '4711', 'PO 100%_off', 'back\\slash']],
    ['south', 'Autumn-South.csv', ['SOUTH-4711', 'ns-4711-c', 'Ärger-12']],
    ['north', 'later.csv', ['NS-4712-A', 'NS-4711-B']],
  ] as const) {
    const id = await insertImport(pool, { account, file_name: file, sha256: file });
    for (const [at, number] of numbers.entries()) {
      // A later file contains the same number again.
      const again = number === 'NS-4711-B' && file !== 'later.csv';
      await insertPurchaseOrder(pool, id, number, {
        account,
        po_key: number.normalize('NFKC').toLowerCase(),
        ...(again ? { state: 'cancelled', reason_code: 'cancelled' } : {}),
      });
      await insertRow(pool, 'lines', {
        import_id: id,
        row_number: at + 2,
        po_number: number,
        item_sku: `${account}-CHAIR-${at}_%`,
        quantity: 1,
      });
    }
  }
  await noteItems(pool, () => false);
});

describe('a part of a text', () => {
  test.each([
    ['autumn', 'file', ['Autumn-South.csv', 'northside-autumn-restock.csv']],
    ['RESTOCK', 'file', ['northside-autumn-restock.csv']],
    ['.csv', 'file', ['later.csv', 'Autumn-South.csv', 'northside-autumn-restock.csv']],
    // Exact match first, then the others, latest first.
    ['4711', 'po', ['4711', 'NS-4711-B', 'ns-4711-c', 'SOUTH-4711', 'NS-4711-B']],
    ['s-4711', 'po', ['NS-4711-B', 'ns-4711-c', 'NS-4711-B']],
    ['ÄRG', 'po', ['Ärger-12']],
    ['rger', 'po', ['Ärger-12']],
    ['chair-2', 'sku', ['south-CHAIR-2_%', 'north-CHAIR-2_%']],
    ['CHAIR-3', 'sku', ['north-CHAIR-3_%']],
  ])('%s finds %s', async (q, kind, matched) => {
    expect(await found(q, kind)).toEqual(matched);
  });

  test.each([
    ['0%_o', 'po', ['PO 100%_off']],
    ['0_%', 'sku', ['north-CHAIR-0_%', 'south-CHAIR-0_%', 'north-CHAIR-0_%']],
    ['k\\s', 'po', ['back\\slash']],
    ['%%%', 'po', []],
    ['___', 'sku', []],
    ['\\\\\\', 'file', []],
    ['4711\nns', 'po', []],
  ])('has no wildcards: %j', async (q, kind, matched) => {
    expect(await found(q, kind)).toEqual(matched);
  });

  test('of less than three characters is looked for at the beginning only', async () => {
    expect(await found('47', 'po')).toEqual(['4711']);
    expect(await found('11', 'po')).toEqual([]);
    expect(await found('la', 'file')).toEqual(['later.csv']);
    expect(await found('er', 'file')).toEqual([]);
  });

  test('finds nothing of an account that the reader may not see', async () => {
    expect(await found('4711', 'po', southViewer)).toEqual(['ns-4711-c', 'SOUTH-4711']);
    expect(await found('chair', 'sku', southViewer)).toEqual(Array(3).fill(expect.stringMatching(/^south-/)));
    expect(await found('autumn', 'file', southViewer)).toEqual(['Autumn-South.csv']);
    expect(await found('north', 'sku', southViewer)).toEqual([]);
  });

  test('of a SKU is found once its file was noted, and by its beginning at once', async () => {
    const { pool } = use.deps;
    const id = await insertImport(pool, { account: 'north', sha256: 'unnoted' });
    await insertPurchaseOrder(pool, id, 'UN-1', { account: 'north' });
    await insertRow(pool, 'lines', {
      import_id: id,
      row_number: 2,
      po_number: 'UN-1',
      item_sku: 'LAMP-SHADE',
      quantity: 1,
    });
    expect([await found('lamp', 'sku'), await found('shade', 'sku')]).toEqual([['LAMP-SHADE'], []]);
    await noteItems(pool, () => false);
    expect(await found('shade', 'sku')).toEqual(['LAMP-SHADE']);
  });
});

describe('the filter by a part of the PO number', () => {
  const list = (query: string, headers = viewer) =>
    read<PurchaseOrdersAnswer>(`/purchase-orders?${query}`, headers);

  test('lists, counts and pages those that have it', async () => {
    const first = await list('po=4711&limit=3');
    expect(first.items.map(({ poNumber }) => poNumber)).toEqual(['NS-4711-B', 'ns-4711-c', 'SOUTH-4711']);
    expect(first.total).toEqual({ count: 5, more: false });
    const next = await list(`po=4711&limit=3&cursor=${first.next}`);
    expect(next.items.map(({ poNumber }) => poNumber)).toEqual(['4711', 'NS-4711-B']);
    expect(next.next).toBeNull();
  });

  test('goes together with other filters, and takes wildcards literally', async () => {
    const numbers = async (query: string, headers = viewer) =>
      (await list(query, headers)).items.map(({ poNumber }) => poNumber);
    expect(await numbers('po=4711&state=cancelled')).toEqual(['NS-4711-B']);
    expect(await numbers('po=4711&account=south')).toEqual(['ns-4711-c', 'SOUTH-4711']);
    expect(await numbers('po=4711', southViewer)).toEqual(['ns-4711-c', 'SOUTH-4711']);
    expect(await numbers('po=4711&account=north', southViewer)).toEqual([]);
    expect(await numbers(`po=${encodeURIComponent('%_o')}`)).toEqual(['PO 100%_off']);
    expect(await numbers('po=47')).toEqual(['4711']);
  });

  test('acts on all that have it', async () => {
    const operator = await use.signedIn('operator');
    const answer = await use.app.inject({
      method: 'POST',
      url: '/api/v1/bulk/count',
      headers: operator,
      payload: { action: 'cancel', filter: { po: '4711', account: 'south' } },
    });
    expect(answer.json()).toMatchObject({
      exact: 2,
      sentence: 'Cancel 2 POs of south whose number contains 4711.',
    });
  });

  test('finds POs of files of a few, which share a block, and of a large file', async () => {
    const { pool } = use.deps;
    const id = await insertImport(pool, { account: 'many', sha256: 'many' });
    await pool.query(
      `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state)
       select 'many', 'M-' || n || '-X', 'm-' || n || '-x', $1, n, 1, 'h', 'ready' from generate_series(1000, 1349) n`,
      [id],
    );
    for (let n = 0; n < 3; n += 1) await insertPurchaseOrder(pool, id, `FEW-${n}`, { account: 'many' });
    const { rows } = await pool.query(
      `select last_po - first_po + 1 as n from po_number_blocks where account = 'many' order by first_po`,
    );
    expect(rows.map(({ n }) => Number(n))).toEqual([100, 100, 100, 53]);
    expect(await found('1349-x', 'po')).toEqual(['M-1349-X']);
    expect(await found('ew-2', 'po')).toEqual(['FEW-2']);
    expect((await list('po=-x&account=many')).total.count).toBe(0);
    expect((await list('po=9-x&account=many')).total).toEqual({ count: 35, more: false });
  });
});
