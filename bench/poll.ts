import pg from 'pg';
import { pollAccount } from '../src/tracking/poll-account.ts';
import type { Figure } from './support/figures.ts';
import { storeOrders } from './support/store-orders.ts';
import { type BenchSystem, startSystem } from './support/system.ts';

const perDay = 1000;

/** Adds ordered POs to the ledger, each with one line of two pieces, that match the orders stored at the service. */
const orderedPos = `
  with i as (
    insert into imports (account, file_name, sha256, size_bytes, file_path, state, result_due, result_written_at)
    values ('default', 'bench.csv', repeat('0', 64), 1, 'files/bench-' || $1::int || '.csv', 'read', false, now())
    returning id),
  n as (select i.id as import_id, n, 'stored-' || n as po_number from i, generate_series($1::int, $2::int - 1) n),
  l as (
    insert into lines (import_id, row_number, po_number, item_sku, quantity, sku, answered_epoch)
    select import_id, n + 2, po_number, 'A', 2, 'A', 0 from n)
  insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state,
    cart_epoch, baseline, ordered_at)
  select 'default', po_number, po_number, import_id, n + 2, 1, 'hash', 'ordered', 0, '{}',
    $4::date + n / $3::int from n`;

/** Polls one account with `open` open POs; the service runs in its own process. */
const pollWith = async (system: BenchSystem, open: number): Promise<Figure[]> => {
  const runtime = await system.openRuntime();
  try {
    const account = runtime.accounts.get('default');
    const tracking = runtime.jobs.trackingOf('default')!;
    const measured = async () => {
      const before = { calls: account.callsStarted(), cpu: process.cpuUsage(), at: performance.now() };
      const polled = await pollAccount('default', tracking);
      const { user, system: kernel } = process.cpuUsage(before.cpu);
      return {
        polled,
        calls: account.callsStarted() - before.calls,
        cpuSeconds: (user + kernel) / 1e6,
        wallSeconds: (performance.now() - before.at) / 1000,
      };
    };
    const service = new pg.Pool({ connectionString: system.databaseUrl, max: 1 });
    const first = await measured();
    const quiet = await measured();
    await service.query(`update dealer_service.orders set steps = '{"Picking":0}'`);
    const changed = await measured();
    await service.end();
    const name = `poll ${open} open POs`;
    const figures = (turn: string, { polled, calls, cpuSeconds, wallSeconds }: typeof first): Figure[] => [
      { name: `${name}, ${turn}: calls`, value: calls, target: '= 1' },
      { name: `${name}, ${turn}: CPU`, value: cpuSeconds, unit: 's', target: '<= 5' },
      { name: `${name}, ${turn}: wall`, value: wallSeconds, unit: 's' },
      {
        name: `${name}, ${turn}: POs seen`,
        value: polled.kind === 'polled' ? polled.seen : 0,
        target: `= ${open}`,
      },
    ];
    return [
      ...figures('all of them new', first),
      ...figures('nothing changed', quiet),
      ...figures('every status changed', changed),
    ];
  } finally {
    await runtime.stop();
  }
};

/** @param options.pos open POs in the last measurement */
export const run = async (options: { pos?: number } = {}): Promise<Figure[]> => {
  const { pos = 10_000 } = options;
  const few = Math.ceil(pos / 100);
  const system = await startSystem({ queue: 'postgres' });
  if (!system) throw new Error('The queue on Postgres needs no other server.');
  try {
    const { baseUrl } = system.config.accounts[0]!;
    // The stored submissions need a cart.
    await fetch(`${baseUrl}/carts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"po_number":"first"}',
    });
    const runtime = await system.openRuntime();
    const service = new pg.Pool({ connectionString: system.databaseUrl, max: 1 });
    const days = Math.ceil(pos / perDay) - 1;
    const firstDay = new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const add = async (from: number, to: number) => {
      await storeOrders(service, { from, to, firstDay, perDay });
      await runtime.ledger.pool.query(orderedPos, [from, to, perDay, firstDay]);
    };
    await add(0, few);
    const before = await pollWith(system, few);
    await add(few, pos);
    await runtime.ledger.pool.query('delete from orders');
    await runtime.ledger.pool.query('update purchase_orders set quantities_checked = false');
    await service.query(`update dealer_service.orders set steps = '{"Picking":1}'`);
    const after = await pollWith(system, pos);
    await service.end();
    await runtime.stop();
    return [...before, ...after];
  } finally {
    await system.stop();
  }
};
