import { beforeAll, expect, test } from 'vitest';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
let viewer: Record<string, string>;
let southViewer: Record<string, string>;

interface Page {
  items: Record<string, unknown>[];
  next: string | null;
}

/** All pages of a list, two entries each. */
const readAll = async (path: string, headers = viewer): Promise<Record<string, unknown>[]> => {
  const all: Record<string, unknown>[] = [];
  let cursor = '';
  for (let pages = 0; pages < 30; pages += 1) {
    const answer = await use.app.inject({ url: `/api/v1${path}&limit=2${cursor}`, headers });
    expect(answer.statusCode, answer.body).toBe(200);
    const { items, next } = answer.json<Page>();
    all.push(...items);
    if (next === null) return all;
    cursor = `&cursor=${next}`;
  }
  throw new Error('The pages never end.');
};

beforeAll(async () => {
  const { pool } = use.deps;
  viewer = await use.signedIn('viewer');
  southViewer = await use.signedIn('viewer', ['south']);
  const files: [account: string, name: string, rows: number, pos: number | null][] = [
    ['north', 'b.csv', 5, 2],
    ['south', 'A.csv', 5, null],
    ['north', 'c.csv', 1, 2],
    ['south', 'b.csv', 9, 1],
    ['north', 'B.csv', 5, 2],
  ];
  for (const [at, [account, name, rows, pos]] of files.entries())
    await insertImport(pool, {
      account,
      file_name: name,
      sha256: String(at),
      row_count: rows,
      po_count: pos,
    });
  const file = await insertImport(pool, { account: 'north', file_name: 'z.csv', sha256: 'z' });
  const other = await insertImport(pool, { account: 'south', file_name: 'zz.csv', sha256: 'zz' });
  for (const [account, number, state] of [
    ['north', 'P-2', 'cancelled'],
    ['south', 'p-2', 'held'],
    ['north', 'P-10', 'held'],
    ['north', 'p-1', 'held'],
    ['north', 'A', 'held'],
    ['south', 'P-1', 'failed'],
  ] as const)
    await insertPurchaseOrder(pool, account === 'north' ? file : other, number, {
      account,
      state,
      reason_code:
        state === 'failed' ? 'refused_by_service' : state === 'cancelled' ? 'cancelled' : 'backorder',
    });
});

test.each([
  ['oldest', ['A', 'p-1', 'P-1', 'P-10', 'P-2', 'p-2']],
  ['newest', ['p-2', 'P-2', 'P-10', 'P-1', 'p-1', 'A']],
])(
  'POs by number, %s first, over all pages without gaps, also where numbers are equal',
  async (order, numbers) => {
    const all = await readAll(`/purchase-orders?sort=number&order=${order}`);
    expect(all.map(({ poNumber }) => poNumber)).toEqual(numbers);
  },
);

test.each([
  ['state=held', viewerOf, ['A', 'p-1', 'P-10', 'p-2']],
  ['account=north', viewerOf, ['A', 'p-1', 'P-10', 'P-2']],
  ['po=p-1', viewerOf, ['p-1', 'P-1', 'P-10']],
  ['reason=backorder', viewerOf, ['A', 'p-1', 'P-10', 'p-2']],
  ['quote=false', southOf, ['P-1', 'p-2']],
] as const)('POs by number with %s', async (query, headers, numbers) => {
  const all = await readAll(`/purchase-orders?sort=number&order=oldest&${query}`, headers());
  expect(all.map(({ poNumber }) => poNumber)).toEqual(numbers);
});

function viewerOf() {
  return viewer;
}
function southOf() {
  return southViewer;
}

const nameAndNumbers = ({ fileName, rowCount, id }: Record<string, unknown>) =>
  `${fileName} ${rowCount} ${id}`;

test.each([
  ['file', 'oldest', ['A.csv 5 2', 'b.csv 5 1', 'b.csv 9 4', 'B.csv 5 5', 'c.csv 1 3']],
  ['file', 'newest', ['c.csv 1 3', 'B.csv 5 5', 'b.csv 9 4', 'b.csv 5 1', 'A.csv 5 2']],
  ['rows', 'newest', ['b.csv 9 4', 'B.csv 5 5', 'A.csv 5 2', 'b.csv 5 1', 'c.csv 1 3']],
  ['rows', 'oldest', ['c.csv 1 3', 'b.csv 5 1', 'A.csv 5 2', 'B.csv 5 5', 'b.csv 9 4']],
  ['pos', 'oldest', ['A.csv 5 2', 'b.csv 9 4', 'b.csv 5 1', 'c.csv 1 3', 'B.csv 5 5']],
  ['received', 'oldest', ['b.csv 5 1', 'A.csv 5 2', 'c.csv 1 3', 'b.csv 9 4', 'B.csv 5 5']],
])(
  'imports by %s, %s first, over all pages without gaps, also where values are equal',
  async (sort, order, names) => {
    // Without the two files of the POs.
    const all = await readAll(`/imports?sort=${sort}&order=${order}`);
    expect(all.map(nameAndNumbers).filter((one) => !one.startsWith('z'))).toEqual(names);
  },
);

test('imports that are sorted are those that the reader may see, by a part of their name', async () => {
  const all = await readAll('/imports?sort=file&order=oldest&file=.csv', southViewer);
  expect(all.map(({ fileName }) => fileName)).toEqual(['A.csv', 'b.csv', 'zz.csv']);
});

test.each([
  '/purchase-orders?sort=changed',
  '/imports?sort=account',
  '/purchase-orders?sort=number&cursor=P-1',
])('%s is refused', async (path) => {
  expect((await use.app.inject({ url: `/api/v1${path}`, headers: viewer })).statusCode).toBe(422);
});
