import pg from 'pg';
import { createTestDatabase } from '../support/database.ts';
import { judge, type Quantities, readLedgerPos, type Verdict } from '../support/judge.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { createSystem, fileOf, type SystemOptions, startService } from '../support/run-system.ts';

export interface ServedDealer {
  /** Also the name of the account. */
  dealer: string;
  /** The POs of the account. */
  pos: ReadonlyMap<string, Quantities>;
  service: object;
  account: object;
}

/** One system with an account and a service for each dealer, all in one database. */
export const openServices = async (
  dealers: readonly ServedDealer[],
  worker: SystemOptions['worker'] = {},
) => {
  const [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  const pool = new pg.Pool({ connectionString: served.url, max: 20 });
  const services: Awaited<ReturnType<typeof startService>>[] = [];
  for (const { dealer, service } of dealers) {
    const dealersOf = [{ name: dealer, token: `token of ${dealer}` }];
    services.push(await startService(pool, { dealers: dealersOf, ...service }));
  }
  const system = await createSystem({
    ledgerUrl: ledger.url,
    accounts: Object.fromEntries(
      dealers.map(({ dealer, account }, at) => [
        dealer,
        { baseUrl: services[at]!.url, token: `token of ${dealer}`, ...account },
      ]),
    ),
    worker,
    // Otherwise each fault of an account would pause it twice as long as the previous one.
    deniedPauseMs: 1_000,
  });
  return {
    /** The database of all services. */
    pool,
    system,
    /** Places everything in one worker, until no PO has a next step. */
    orderAll: async (limitMs: number): Promise<void> => {
      await system.spawn();
      for (const { dealer, pos } of dealers) await system.drop(dealer, 'orders.csv', fileOf(pos));
      await system.settled(dealers.length, limitMs);
    },
    judge: async ({ dealer, pos }: ServedDealer): Promise<Verdict> =>
      judge(pos, await ordersByPo(pool, { dealer }), await readLedgerPos(system.ledger, dealer)),
    end: async (): Promise<void> => {
      await system.stop();
      await Promise.all(services.map((service) => service.stop()));
      await pool.end();
      await Promise.all([ledger.drop(), served.drop()]);
    },
  };
};
