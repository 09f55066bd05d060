import { beforeAll, describe, expect, test } from 'vitest';
import type { PoDetail, PurchaseOrdersAnswer } from '../../src/api-contract/purchase-orders.ts';
import type { SearchAnswer } from '../../src/api-contract/search.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { fillPurchaseOrders } from './fill-purchase-orders.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
let viewer: Record<string, string>;
let southViewer: Record<string, string>;
const ids: Record<string, string> = {};

const get = async (path: string, headers = viewer) => {
  const answer = await use.app.inject({ url: `/api/v1${path}`, headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body };
};
const read = async <Answer>(path: string, headers = viewer): Promise<Answer> => {
  const { status, text } = await get(path, headers);
  expect(status, text).toBe(200);
  return JSON.parse(text) as Answer;
};
const list = (query: string, headers = viewer) =>
  read<PurchaseOrdersAnswer>(`/purchase-orders?${query}`, headers);
const numbersOf = ({ items }: PurchaseOrdersAnswer) => items.map(({ poNumber }) => poNumber);

beforeAll(async () => {
  viewer = await use.signedIn('viewer');
  southViewer = await use.signedIn('viewer', ['south']);
  Object.assign(ids, await fillPurchaseOrders(use.deps.pool));
});

describe('the list', () => {
  test('is paged by a cursor in both orders, without gaps', async () => {
    for (const order of ['newest', 'oldest']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: PurchaseOrdersAnswer = await list(
          `order=${order}&limit=2${cursor ? `&cursor=${cursor}` : ''}`,
        );
        expect(page.total).toEqual({ count: 5, more: false });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.next;
      } while (cursor);
      const oldest = [ids.first, ids.ordered, ids.held, ids.rejected, ids.south];
      expect(seen).toEqual(order === 'oldest' ? oldest : oldest.toReversed());
    }
  });

  test.each([
    ['account=north&state=held,rejected', ['=1+1', 'NS-1002']],
    ['state=held', ['NS-1002']],
    ['state=held&reason=backorder', []],
    ['reason=price_above', ['NS-1002']],
    ['po=ns-10', ['ns-1001', 'NS-1002', 'NS-1001', 'NS-1001']],
    ['po=NS-10&state=ordered', ['NS-1001']],
    ['po=%25', []],
    ['alarm=true', ['NS-1002']],
    ['alarm=false&state=held', []],
    ['quote=true', []],
    ['changedBefore=2026-11-10T00:00:00Z', ['NS-1002']],
    ['changedBefore=2026-11-21T00:00:00Z&changedAfter=2026-11-10T00:00:00Z', ['NS-1001']],
    ['account=nobody', []],
  ])('filters by %s', async (query, expected) => {
    const found = await list(query);
    expect(numbersOf(found)).toEqual(expected);
    expect(found.total.count).toBe(expected.length);
  });

  test('filters by import', async () => {
    expect(numbersOf(await list(`importId=${ids.monday}&order=oldest`))).toEqual([
      'NS-1001',
      'NS-1002',
      '=1+1',
    ]);
    expect(numbersOf(await list(`importId=${ids.monday}`, southViewer))).toEqual([]);
  });

  test('says what the listed ones cost together', async () => {
    const ordered = await list('state=ordered');
    expect(ordered.sum).toEqual({ goods: '24.500', unpriced: 0, above: { amount: '0.500', percent: 2.38 } });
    expect((await list('account=nowhere')).sum).toEqual({ goods: null, unpriced: 0, above: null });
  });

  test('names what can be done with each PO', async () => {
    const actions = Object.fromEntries((await list('')).items.map((po) => [po.id, po.actions]));
    expect(actions).toEqual({
      [ids.first!]: [],
      [ids.ordered!]: [],
      [ids.held!]: ['release', 'settle', 'cancel', 'assign'],
      [ids.rejected!]: ['settle', 'assign'],
      [ids.south!]: ['hold', 'cancel'],
    });
  });

  test.each(['cursor=x', 'state=lost', 'limit=0', 'importId=1;drop', 'changedBefore=yesterday'])(
    'refuses %s with a sentence',
    async (query) => {
      const { status, text } = await get(`/purchase-orders?${query}`);
      expect(status).toBe(422);
      expect(JSON.parse(text)).toMatchObject({ code: 'invalid', detail: expect.stringMatching(/\w+ \w+/) });
    },
  );

  test('downloads as CSV in which no cell is a formula', async () => {
    const { headers, text } = await get('/purchase-orders?format=csv&account=north');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toContain('attachment; filename="purchase-orders.csv"');
    const rows = text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(5);
    expect(rows[0]).toMatch(/^\ufeffAccount,PO,State/);
    expect(rows[1]).toMatch(/^north,'=1\+1,rejected,/);
  });

  test('counts states, and held POs by reason, as far as the reader may see', async () => {
    expect(await read('/purchase-orders/facets?account=north')).toEqual({
      states: expect.arrayContaining(
        ['cancelled', 'ordered', 'held', 'rejected'].map((state) => ({
          state,
          count: { count: 1, more: false },
        })),
      ),
      reasons: [
        {
          reasonCode: 'price_above',
          meaning: expect.stringContaining('higher than the file expects'),
          count: { count: 1, more: false },
        },
      ],
    });
    expect(await read(`/purchase-orders/facets?importId=${ids.southFile}`)).toEqual({
      states: [{ state: 'ready', count: { count: 1, more: false } }],
      reasons: [],
    });
    expect(await read('/purchase-orders/facets?account=north', southViewer)).toEqual({
      states: [],
      reasons: [],
    });
  });
});

describe('the page of a PO', () => {
  test('has lines with differences, the order, and a sentence', async () => {
    const po = await read<PoDetail>(`/purchase-orders/${ids.ordered}`);
    expect(po.banner).toMatchObject({
      tone: 'good',
      sentence: 'PO NS-1001 is ordered as SO77001; the service reports Shipped (it has left the warehouse).',
      actions: [],
    });
    expect(po.lines).toMatchObject([
      {
        rowNumber: 2,
        item: 'AB-1',
        quantity: 2,
        available: 1,
        backorder: 1,
        price: '10.50',
        expectedPrice: '10.00',
        difference: '0.50',
        amount: '21.00',
      },
      { item: 'ab-12', available: null, expectedPrice: null, difference: null, amount: '3' },
      { item: '77', difference: '-0.125', amount: '0.500', note: 'gift' },
    ]);
    expect(po.lineTotal).toBe('24.500');
    expect(po.priceDifference).toEqual({ amount: '0.500', percent: 2.4 });
    expect(po.options).toEqual({ ship_via: 'UPS' });
    expect(po.orders).toMatchObject([
      {
        orderNumber: 'SO77001',
        total: null,
        trackingNumbers: [
          { number: '1Z999AA10123456784', href: expect.stringContaining('https://www.ups.com/') },
          { number: 'Pallet-9', href: null },
        ],
        steps: [{ field: 'order_status', was: 'Open', became: 'Shipped', at: '2026-11-20T12:00:00.000Z' }],
      },
    ]);
    expect(po.others.map(({ id, fileName }) => [id, fileName])).toEqual([[ids.first, 'Friday.csv']]);
  });

  test('has a timeline with durations, attempts and persons, oldest first', async () => {
    const { timeline } = await read<PoDetail>(`/purchase-orders/${ids.ordered}`);
    expect(timeline.map(({ what, epoch, durationMs, who }) => [what, epoch, durationMs, who])).toEqual([
      ['Read from row 2 of Monday.csv', null, null, null],
      ['Create the cart: no clear answer', 0, 1000, null],
      ['Released', null, null, 'Ada'],
      ['Create the cart: done', 1, 250, null],
      ['Submit the order: done', 1, 1000, null],
      ['Ordered', null, null, null],
      ['Status check: order status', null, null, null],
    ]);
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted());
    expect(timeline[2]!.detail).toBe('price agreed');
  });

  test('has the order of an adopted PO where a person adopted it, whenever it was submitted', async () => {
    const { pool } = use.deps;
    const importId = await insertImport(pool, { account: 'east', sha256: 'adopted' });
    const id = await insertPurchaseOrder(pool, importId, 'ES-1', {
      ...{ account: 'east', state: 'ordered', created_at: '2026-11-01T08:00:00Z' },
      ordered_at: '2026-11-01T09:00:00Z',
    });
    await pool.query(
      `insert into operator_actions (who, via, action, account, import_id, purchase_order_id, at)
       values ('Ada', 'console', 'adopt', 'east', $1, $2, '2026-11-01T10:00:00Z')`,
      [importId, id],
    );
    const { timeline } = await read<PoDetail>(`/purchase-orders/${id}`);
    expect(timeline.slice(-2).map(({ what, at }) => [what, at.slice(11, 16)])).toEqual([
      ['Adopted the order', '10:00'],
      ['Ordered', '10:00'],
    ]);
  });

  test('of a rejected PO has its issues, of a held one what can be done', async () => {
    const rejected = await read<PoDetail>(`/purchase-orders/${ids.rejected}`);
    expect(rejected.issues).toMatchObject([{ rowNumber: 9, column: 'Qty', found: 'x', expected: null }]);
    expect(rejected.lineTotal).toBeNull();
    expect(rejected.priceDifference).toBeNull();
    const held = await read<PoDetail>(`/purchase-orders/${ids.held}`);
    expect(held.banner.sentence).toBe(
      'PO NS-1002 is held: AB-1 (row 4) costs 12.00, the file expects 10.00.',
    );
    expect(held.banner.actions.map(({ action }) => action)).toEqual([
      ...['release', 'settle', 'cancel', 'assign'],
    ]);
  });

  test('says that nothing happens while no worker serves the account, and how long a pause lasts', async () => {
    const { pool } = use.deps;
    const next = async () => (await read<PoDetail>(`/purchase-orders/${ids.south}`)).banner;
    expect((await next()).next).toContain('until a worker runs');
    await insertRow(pool, 'workers', {
      id: '00000000-0000-4000-8000-000000000001',
      host: 'h',
      pid: 1,
      places: ['south'],
    });
    expect(await next()).toMatchObject({ tone: 'progress', advice: null });
    await insertRow(pool, 'account_states', {
      account: 'south',
      paused_until: '2030-01-01T00:00:00Z',
      pause_code: 'credential_refused',
      pause_reason: 'The service refused the credential (401)',
    });
    expect(await next()).toMatchObject({
      tone: 'attention',
      nextAt: '2030-01-01T00:00:00.000Z',
      sentence:
        'PO ns-1001 is waiting for its cart; its account is paused: The service refused the credential (401).',
    });
  });

  test.each([
    ['another account’s', () => ids.ordered!, () => southViewer],
    ['one that does not exist', () => '999999999', () => viewer],
  ])('answers 404 for %s', async (_, id, headers) => {
    for (const path of [`/purchase-orders/${id()}`, `/purchase-orders/${id()}/rows`]) {
      const { status, text } = await get(path, headers());
      expect([status, JSON.parse(text).detail]).toEqual([
        404,
        expect.stringMatching(/^No purchase order .*\.$/),
      ]);
    }
  });

  test('says why the rows of the file cannot be shown', async () => {
    expect(await read(`/purchase-orders/${ids.ordered}/rows`)).toEqual({
      header: null,
      rows: [],
      why: 'The account north is not in the configuration of this console, so its files cannot be read here.',
    });
  });
});

describe('the search', () => {
  const search = (q: string, headers = viewer) =>
    read<SearchAnswer>(`/search?q=${encodeURIComponent(q)}`, headers);

  test.each([
    ['ns-1002', 'po', ['NS-1002']],
    ['NS-1', 'po', ['ns-1001', 'NS-1002', 'NS-1001', 'NS-1001']],
    ['so770', 'order', ['SO77001']],
    ['1z999aa1 0123 4567', 'tracking', ['1Z999AA10123456784']],
    ['PALLET-9', 'tracking', []],
    ['Pallet-9', 'tracking', ['Pallet-9']],
    ['inv-5', 'invoice', ['INV-5']],
    ['ab-12', 'sku', ['ab-12']],
    ['ann m', 'ship_to', ['Ann Miller']],
    ['041', 'zip', ['04101']],
    ['MONDAY', 'file', ['monday-south.csv', 'Monday.csv']],
  ])('finds %s as %s', async (q, kind, matched) => {
    const { groups } = await search(q);
    const hits = groups.find((group) => group.kind === kind)?.hits ?? [];
    expect(hits.map((hit) => hit.matched)).toEqual(matched);
  });

  test('finds a PO that was not ordered by whom and where its goods are for', async () => {
    const { pool } = use.deps;
    const importId = await insertImport(pool, { account: 'south', sha256: 'not ordered' });
    for (const state of ['held', 'rejected', 'failed', 'cancelled'])
      await insertPurchaseOrder(pool, importId, `Z-${state}`, {
        account: 'south',
        state,
        options: `{"ship_name":"Zora ${state}","ship_zip":"99501"}`,
      });
    for (const [q, kind, found] of [
      ['ZORA', 'ship_to', ['Z-cancelled', 'Z-failed', 'Z-rejected', 'Z-held']],
      ['zora held', 'ship_to', ['Z-held']],
      ['995', 'zip', ['Z-cancelled', 'Z-failed', 'Z-rejected', 'Z-held']],
    ] as const) {
      const { groups } = await search(q);
      const hits = groups.find((group) => group.kind === kind)?.hits ?? [];
      expect(hits.map((hit) => hit.purchaseOrder?.poNumber)).toEqual(found);
    }
    expect((await search('zora', await use.signedIn('viewer', ['north']))).groups).toEqual([]);
  });

  test('shows exact matches first, and says when there are more', async () => {
    const { groups } = await read<SearchAnswer>('/search?q=AB-1&limit=2');
    expect(groups).toMatchObject([
      {
        kind: 'sku',
        more: false,
        hits: [{ purchaseOrder: { id: ids.south } }, { purchaseOrder: { id: ids.ordered } }],
      },
    ]);
    const one = await read<SearchAnswer>('/search?q=ns&limit=1');
    expect(one.groups).toMatchObject([{ kind: 'po', more: true, hits: [{}] }]);
  });

  test('finds only what the reader may see', async () => {
    expect((await search('so77001', southViewer)).groups).toEqual([]);
    expect((await search('ns-1001', southViewer)).groups).toMatchObject([{ hits: [{ account: 'south' }] }]);
    expect((await search('ab-1', southViewer)).groups).toMatchObject([{ hits: [{ account: 'south' }] }]);
    expect((await search('monday', southViewer)).groups).toMatchObject([{ hits: [{ account: 'south' }] }]);
  });

  test.each(['%', '_', '\\', "'", '- -', '\u{10ffff}', '\u0000'])('takes %j literally', async (q) => {
    const { status, text } = await get(`/search?q=${encodeURIComponent(q)}`);
    if (q === '\u0000') expect(status).toBe(422);
    else expect(JSON.parse(text)).toEqual({ groups: [] });
  });
});
