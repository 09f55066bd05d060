import { beforeAll, describe, expect, it } from 'vitest';
import { read, utils } from 'xlsx';
import type { OrderFacets, OrdersAnswer } from '../../src/api-contract/orders.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const dayMs = 86_400_000;
const config = loadConfig({}, {});
const accounts = [{ ...config.accounts[0]!, name: 'north', lateAfterMs: 3650 * dayMs }];
const use = useConsole({ deps: { config: { ...config, accounts } } });
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

let importId: string;
let headers: Record<string, string>;
let south: Record<string, string>;

interface Given {
  account?: string;
  state?: string;
  orderedDaysAgo?: number;
  asked?: number;
  alarm?: string;
  order?: Record<string, unknown>;
}

/** A PO with one order; the order's number is that of the PO with an S. */
const put = async (
  poNumber: string,
  { account = 'north', state = 'ordered', orderedDaysAgo = 1, asked = 5, alarm, order = {} }: Given,
) => {
  const { pool } = use.deps;
  const id = await insertPurchaseOrder(pool, importId, poNumber, {
    account,
    state,
    ordered_at: daysAgo(orderedDaysAgo),
    ...(alarm ? { alarm } : {}),
  });
  await insertRow(pool, 'lines', {
    import_id: importId,
    row_number: Number(id) + 10,
    po_number: poNumber,
    item_sku: 'A',
    quantity: asked,
  });
  await insertRow(pool, 'orders', {
    account,
    purchase_order_id: id,
    po_number: poNumber,
    order_number: `S${poNumber}`,
    ...order,
  });
  return id;
};
const get = (query: string, as = headers) => use.app.inject({ url: `/api/v1/orders${query}`, headers: as });
const list = async (query = '', as = headers): Promise<OrdersAnswer> => {
  const answer = await get(query, as);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};
const numbers = async (query = '', as = headers) =>
  (await list(query, as)).items.map(({ poNumber }) => poNumber);

const item = (ordered: number, shipping: number, backordered: number) => ({
  sku: 'A',
  order_quantity: ordered,
  ship_quantity: String(shipping),
  backorder_quantity: backordered,
});

beforeAll(async () => {
  const { pool } = use.deps;
  importId = await insertImport(pool, { account: 'north', file_name: 'monday.csv' });
  headers = await use.signedIn('viewer');
  south = await use.signedIn('viewer', ['south']);
  await insertRow(pool, 'account_states', { account: 'north', polled_at: '2026-11-26T08:00:00Z' });
  await put('1 fresh', {
    order: { order_date: '2026-11-20', order_status: 'Picking', order_total: '10.10' },
  });
  await put('2 late', {
    orderedDaysAgo: 3652,
    order: { order_date: '2026-11-10', order_status: 'In O/E', order_total: '5' },
  });
  await put('3 back', {
    order: {
      order_date: '2026-11-19',
      order_status: 'Shipped',
      ship_date: '2026-11-21',
      items: JSON.stringify([item(5, 3, 2)]),
      tracking_numbers: ['1Z999AA10123456784', 'B', 'C', 'D'],
      order_total: '900.125',
    },
  });
  await put('4 untracked', {
    order: {
      order_date: '2026-11-18',
      order_status: 'Invoiced',
      ship_date: '2026-11-19',
      invoice_date: '2026-11-20',
      invoice_number: 'INV-4',
      items: JSON.stringify('none of ours'),
    },
  });
  await put('5 alarm', {
    alarm: '4 A and not 5',
    order: { order_date: 'tomorrow', ship_date: '2026-02-30', order_total: '-3', tracking_numbers: ['T'] },
  });
  await put('6 south', {
    account: 'south',
    order: { order_date: '2026-11-25', order_status: 'Held <b>up</b>', order_total: '7' },
  });
  await put('7 long closed', {
    state: 'closed',
    orderedDaysAgo: 100,
    order: {
      order_date: '2026-08-18',
      order_status: 'Invoiced',
      ship_date: '2026-08-20',
      tracking_numbers: ['77'],
    },
  });
});

it('shows each order with what the service says, and what it means', async () => {
  const { items, total, sum } = await list('?q=3');
  expect({ total, sum }).toEqual({ total: { count: 1, more: false }, sum: '900.125' });
  expect(items[0]).toMatchObject({
    poNumber: '3 back',
    orderNumber: 'S3 back',
    status: 'Shipped',
    statusMeaning: 'It has left the warehouse.',
    asked: 5,
    pieces: 5,
    shipped: 3,
    backordered: 2,
    trackingCount: 4,
    lateDays: null,
    asOf: '2026-11-26T08:00:00.000Z',
  });
  expect(items[0]!.tracking.map(({ number }) => number)).toEqual(['1Z999AA10123456784', 'B', 'C']);
  expect(items[0]!.tracking[0]!.href).toContain('ups.com');
});

it('sums what is listed, exactly', async () => {
  expect((await list('?account=north')).sum).toBe('912.225');
  expect((await list('?untracked=true')).sum).toBeNull();
});

describe('finds by', () => {
  it.each([
    ['?late=true', ['2 late']],
    ['?backordered=true', ['3 back']],
    ['?untracked=true', ['4 untracked']],
    ['?alarm=true', ['5 alarm']],
    ['?status=Picking,In O/E', ['1 fresh', '2 late']],
    ['?account=south', ['6 south']],
    ['?orderedFrom=2026-11-19&orderedTo=2026-11-20', ['1 fresh', '3 back']],
    ['?shippedFrom=2026-11-01', ['3 back', '4 untracked']],
    ['?invoicedTo=2026-11-20&invoicedFrom=2026-11-20', ['4 untracked']],
    ['?q=s4%20UNT', ['4 untracked']],
    ['?q=inv-', ['4 untracked']],
    ['?q=1z999', ['3 back']],
    ['?q=1Z%20999-AA1', ['3 back']],
    ['?q=C', ['3 back']],
    ['?q=%25', []],
    ['?late=false&backordered=false&untracked=false&alarm=false&account=north', ['1 fresh', '7 long closed']],
  ])('%s', async (query, found) => {
    expect(await numbers(query.replaceAll(' ', '%20'))).toEqual(found);
  });

  it('the purchase file', async () => {
    expect(await numbers(`?importId=${importId}&account=south`)).toEqual(['6 south']);
    expect(await numbers('?importId=99')).toEqual([]);
  });
});

describe('sorted by', () => {
  it.each([
    [
      'ordered&order=newest',
      ['5 alarm', '6 south', '1 fresh', '3 back', '4 untracked', '2 late', '7 long closed'],
    ],
    [
      'shipped&order=newest',
      ['3 back', '4 untracked', '7 long closed', '6 south', '5 alarm', '2 late', '1 fresh'],
    ],
    ['invoiced&order=newest&q=4', ['4 untracked']],
    [
      'total&order=newest',
      ['3 back', '1 fresh', '6 south', '2 late', '5 alarm', '7 long closed', '4 untracked'],
    ],
    [
      'total&order=oldest',
      ['4 untracked', '7 long closed', '5 alarm', '2 late', '6 south', '1 fresh', '3 back'],
    ],
  ])('%s, page by page as at once', async (sort, all) => {
    expect(await numbers(`?sort=${sort}`)).toEqual(all);
    const paged: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: OrdersAnswer = await list(
        `?sort=${sort}&limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      paged.push(...page.items.map(({ poNumber }) => poNumber));
      cursor = page.next;
    }
    expect(paged).toEqual(all);
  });
});

it('counts orders by status and by what a person looks for', async () => {
  const facets: OrderFacets = (await get('/facets?account=north')).json();
  const one = (count: number) => ({ count, more: false });
  expect(facets).toMatchObject({ late: one(1), backordered: one(1), untracked: one(1), alarm: one(1) });
  expect(facets.statuses.map(({ status, count }) => [status, count.count])).toEqual([
    ['Invoiced', 2],
    ['In O/E', 1],
    ['Picking', 1],
    ['Shipped', 1],
  ]);
  expect(((await get('/facets')).json() as OrderFacets).statuses).toContainEqual({
    status: 'Held <b>up</b>',
    meaning: null,
    count: one(1),
  });
});

it('shows nobody the orders of an account that he may not see', async () => {
  expect(await numbers('', south)).toEqual(['6 south']);
  for (const name of ['north', 'nowhere'])
    expect((await get(`?account=${name}`, south)).statusCode).toBe(404);
  expect((await get('?format=csv', south)).body).not.toContain('fresh');
});

it('downloads what is filtered as CSV and as a workbook, with the account and in the same order', async () => {
  const csv = (await get('?format=csv&sort=total&late=false&account=north')).body;
  const rows = csv.trim().split('\r\n');
  expect(rows[0]).toMatch(/^\ufeff?po_number,po_state,.*,account$/);
  expect(rows.slice(1).map((row) => row.split(',')[0])).toEqual([
    '3 back',
    '1 fresh',
    '5 alarm',
    '7 long closed',
    '4 untracked',
  ]);
  const workbook = read((await get('?format=xlsx&late=true')).rawPayload);
  const sheet = utils.sheet_to_json<Record<string, unknown>>(workbook.Sheets.Orders!);
  expect(sheet.map((row) => [row['PO number'], row.Account])).toEqual([['2 late', 'north']]);
});

it('lists an order with 10,000 tracking numbers without sending them', async () => {
  const tracking_numbers = Array.from({ length: 10_000 }, (_, at) => `MANY-${at}`);
  await put('8 many', { account: 'east', order: { tracking_numbers } });
  const { items } = await list('?account=east');
  expect(items[0]).toMatchObject({ trackingCount: 10_000, tracking: [{}, {}, {}] });
  expect(await numbers('?q=MANY-9999')).toEqual(['8 many']);
});

it('finds the orders of many numbers that begin alike, in the same order, and with the other filters', async () => {
  const { pool } = use.deps;
  await pool.query(
    `with p as (
       insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, ordered_at)
       select 'west', 'DX-' || n, 'dx-' || n, $1, 2, 1, 'd' || n, 'ordered', now() from generate_series(1, 2500) n returning *)
     insert into orders (purchase_order_id, account, po_number, order_number, order_status, order_date)
     select id, account, po_number, 'SD' || po_number, case when po_number = 'DX-77' then 'B/O' else 'Picking' end,
       '2026-10-' || lpad((1 + id % 28)::text, 2, '0') from p`,
    [importId],
  );
  const many = await list('?q=dx-&limit=200');
  expect(many.total).toEqual({ count: 2500, more: false });
  const dates = many.items.map(({ orderDate }) => orderDate!);
  expect(dates).toEqual(dates.toSorted().toReversed());
  expect(await numbers('?q=dx-&backordered=true')).toEqual(['DX-77']);
  expect((await list('?q=sdx-&account=north')).items).toEqual([]);
});
