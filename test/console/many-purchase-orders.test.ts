import { beforeAll, expect, test } from 'vitest';
import type { AccountDetail } from '../../src/api-contract/accounts.ts';
import type { PoFacets } from '../../src/api-contract/purchase-orders.ts';
import type { TodayAnswer } from '../../src/api-contract/today.ts';
import { insertImport } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
const counted = 6000;
const most = { count: 10_000, more: true };
let all: Record<string, string>;
let northOnly: Record<string, string>;

const read = async <Answer>(path: string, headers = all): Promise<Answer> => {
  const answer = await console.app.inject({ url: `/api/v1${path}`, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

// All accounts together have more than 10,000 of each kind, but none alone.
beforeAll(async () => {
  const { pool } = console.deps;
  all = await console.signedIn('viewer');
  northOnly = await console.signedIn('viewer', ['north']);
  for (const account of ['north', 'south']) {
    const id = await insertImport(pool, { account, file_name: `${account}.csv` });
    await pool.query(
      `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code, changed_at)
       select $1, s || n, s || n, $2, n, 1, 'x', s, case s when 'held' then 'price_above' end,
         now() - interval '2 days' + n * interval '1 second'
       from generate_series(1, $3::int) n cross join unnest(array['closed', 'held']) s`,
      [account, id, counted],
    );
    await pool.query(
      `insert into orders (purchase_order_id, account, po_number, order_number, order_status)
       select id, account, po_number, 'SO' || id, 'Invoiced' from purchase_orders where account = $1 and state = 'closed'`,
      [account],
    );
  }
  await pool.query('vacuum analyze purchase_orders, orders');
});

test('POs by state and reason are counted up to 10,000 over all accounts that the reader may see', async () => {
  const facets = await read<PoFacets>('/purchase-orders/facets');
  expect(facets.states).toHaveLength(2);
  expect(facets.states).toEqual(
    expect.arrayContaining(['closed', 'held'].map((state) => ({ state, count: most }))),
  );
  expect(facets.reasons).toMatchObject([{ reasonCode: 'price_above', count: most }]);
  const exact = { count: counted, more: false };
  for (const [path, headers] of [
    ['?account=south', all],
    ['', northOnly],
  ] as const) {
    const one = await read<PoFacets>(`/purchase-orders/facets${path}`, headers);
    expect(one.states).toEqual(
      expect.arrayContaining(['closed', 'held'].map((state) => ({ state, count: exact }))),
    );
    expect(one.reasons).toMatchObject([{ reasonCode: 'price_above', count: exact }]);
  }
});

test('Today names the PO of each group that came first, and since when it is held', async () => {
  const { held } = await read<TodayAnswer>('/today');
  expect(held).toHaveLength(2);
  for (const group of held) {
    expect(group.count).toEqual({ count: counted, more: false });
    expect(group.example.poNumber).toBe('held1');
    expect(Date.parse(group.oldestAt)).toBeLessThan(Date.now() - 86_400_000);
  }
});

test('orders of an account are counted by status, each up to 10,000', async () => {
  const { pool } = console.deps;
  await pool.query(
    `insert into orders (purchase_order_id, account, po_number, order_number, order_status)
     select purchase_order_id, account, po_number, 'new ' || n, case when n <= 10500 then 'Open' end
     from (select * from orders where account = 'north' limit 1) o cross join generate_series(1, 10600) n`,
  );
  await pool.query('vacuum analyze orders');
  const { orderStatuses } = await read<AccountDetail>('/accounts/north');
  expect(orderStatuses).toMatchObject([
    { status: 'Open', meaning: null, count: 10_001 },
    { status: 'Invoiced', count: counted },
    { status: null, count: 100 },
  ]);
});
