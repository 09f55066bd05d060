import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { createDealerApi } from '../../src/dealer-api/create-dealer-api.ts';
import { createThrottle } from '../../src/dealer-api/throttle.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { createPlacingLedger } from '../../src/ledger/purchase-orders.ts';
import { findSteerable, type SteerFilter, type SteerResult, steer } from '../../src/ledger/steer.ts';
import { createTrackingLedger } from '../../src/ledger/tracking.ts';
import { type Logger, silentLogger } from '../../src/logger.ts';
import { type Advanced, advance, type Checkpoint } from '../../src/placing/advance.ts';
import { systemClock } from '../../src/placing/lease.ts';
import type { PlacingRules } from '../../src/placing/options.ts';
import { createReasonLog } from '../../src/placing/reason-log.ts';
import type { SteerAction } from '../../src/placing/steer.ts';
import { activeStates } from '../../src/placing/types.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { type JudgedOrder, ordersByPo } from '../../src/service/read-audit.ts';
import { type Polled, pollAccount } from '../../src/tracking/poll-account.ts';
import type { TrackingRules } from '../../src/tracking/types.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { startService } from '../support/run-system.ts';

export interface Item {
  sku: string;
  quantity: number;
  expectedPrice?: string;
}

export interface AccountOptions {
  baseUrl: string;
  /** Undefined: the account's own. */
  token?: string;
  rules?: Partial<PlacingRules>;
  tracking?: Partial<TrackingRules>;
  /** Puts something between placing and the real client. */
  around?: (api: DealerApi) => DealerApi;
  logger?: Logger;
}

/** What the ledger has of a PO. */
export interface PoRow {
  id: string;
  state: string;
  epoch: number;
  run: number;
  reason_code: string | null;
  reason_text: string | null;
  alarm: string | null;
  failures: number;
  failing_since: Date | null;
  rebuilds: number;
  cart_number: string | null;
  order_numbers: string[];
}

const dealers = Array.from({ length: 60 }, (_, at) => ({ name: `dealer-${at}`, token: `token-${at}` }));

/** A ledger, services on one database, and accounts that no other test of the file knows. */
export const openPlacing = async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 12, logger: silentLogger });
  await migrateLedger(pool);
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-steering-'));
  const services: ListeningService[] = [];
  const apis: DealerApi[] = [];
  let accounts = 0;
  let files = 0;
  return {
    pool,
    databaseUrl: database.url,

    /** A service with these dealers; `catalogue` as rows `sku,price,stock at GA,ID,IN,TX`. */
    serve: async ({ catalogue, ...config }: { catalogue?: string[] } & Record<string, unknown> = {}) => {
      let file: string | undefined;
      if (catalogue) {
        file = join(folder, `catalogue-${++files}.csv`);
        const rows = catalogue.map((row) => row.replace(/^([^,]+)/, '$1,,Item $1'));
        await writeFile(
          file,
          `sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX\n${rows.join('\n')}\n`,
        );
      }
      const service = await startService(database.url, {
        dealers,
        ...(file ? { catalogue: file } : {}),
        ...config,
      });
      services.push(service);
      return service;
    },

    /** An account at a service. */
    account: (options: AccountOptions) => {
      const account = `account-${++accounts}`;
      const { name: dealer, token } = dealers[accounts]!;
      const rules: PlacingRules = {
        poNumbersReused: false,
        submissionConsumesCart: true,
        requestTimeoutMs: 2000,
        readLagMs: 0,
        settleMs: 5000,
        unreachableAllowedMs: 86_400_000,
        deniedPauseMs: 300_000,
        rebuildsAllowed: 5,
        ...options.rules,
        guards: { backorder: false, unknownPrice: true, ...options.rules?.guards },
      };
      /** Every call that was made, as `createCart PO-1`. */
      const calls: string[] = [];
      const apiAt = (baseUrl: string): DealerApi => {
        const real = createDealerApi(
          {
            baseUrl,
            auth: { kind: 'bearer', secretEnv: 'UNUSED' },
            secret: options.token ?? token,
            requestFormat: 'json',
            dateRangeIn: 'query',
            maxAnswerBytes: 33_554_432,
            requestTimeoutMs: rules.requestTimeoutMs,
          },
          createThrottle(32),
        );
        apis.push(real);
        return options.around?.(real) ?? real;
      };
      let api = apiAt(options.baseUrl);
      const heard = new Proxy({} as DealerApi, {
        get:
          (_, name: keyof DealerApi) =>
          (...args: unknown[]) => {
            const [about] = args;
            const poNumber = typeof about === 'string' ? about : (about as { poNumber: string }).poNumber;
            calls.push(`${name} ${poNumber}`);
            return (api[name] as (...given: unknown[]) => unknown)(...args);
          },
      });
      const ledger = createPlacingLedger(pool);
      const logger = options.logger ?? silentLogger;
      const reasonLog = createReasonLog(logger);
      const step = (id: string, checkpoint?: (name: Checkpoint) => Promise<void>): Promise<Advanced> =>
        advance(
          {
            ledger,
            accounts: () => [account],
            apiOf: () => heard,
            rulesOf: () => rules,
            leaseMs: 60_000,
            graceMs: 60_000,
            logger,
            reasonLog,
            clock: systemClock,
            ...(checkpoint ? { checkpoint } : {}),
          },
          id,
          activeStates,
        );
      const active = async (): Promise<string[]> => {
        const { rows } = await pool.query(
          'select id from purchase_orders where account = $1 and state = any($2) order by id',
          [account, activeStates],
        );
        return rows.map((row) => row.id as string);
      };
      /** Time passes until every PO is due. */
      const becomeDue = async () => {
        await pool.query('update purchase_orders set next_at = clock_timestamp() where account = $1', [
          account,
        ]);
        await pool.query(
          `update intents i set begun_at = i.begun_at - interval '1 hour', ended_at = i.ended_at - interval '1 hour'
           from purchase_orders p where p.id = i.purchase_order_id and p.account = $1
             and i.begun_at > clock_timestamp() - interval '1 hour'`,
          [account],
        );
      };

      return {
        account,
        dealer,
        rules,
        calls,
        api: heard,
        /** The account is configured with another address from now on. */
        moveTo: (baseUrl: string) => {
          api = apiAt(baseUrl);
        },
        /** What is logged of holds and failures is logged now. */
        logReasons: () => reasonLog.stop(),
        step,
        active,
        becomeDue,
        /** A PO of an import of its own, or of this one. */
        add: async (
          poNumber: string,
          items: readonly Item[],
          more: { importId?: string; quoteOnly?: boolean; options?: object; row?: object } = {},
        ): Promise<{ id: string; importId: string }> => {
          const importId =
            more.importId ?? (await insertImport(pool, { account, quote_only: more.quoteOnly ?? false }));
          const { rows } = await pool.query('select count(*)::int as n from lines where import_id = $1', [
            importId,
          ]);
          const first = 2 + rows[0].n;
          for (const [at, item] of items.entries()) {
            await insertRow(pool, 'lines', {
              import_id: importId,
              row_number: first + at,
              po_number: poNumber,
              item_sku: item.sku,
              quantity: item.quantity,
              expected_price: item.expectedPrice ?? null,
            });
          }
          const id = await insertPurchaseOrder(pool, importId, poNumber, {
            account,
            first_row: first,
            line_count: items.length,
            options: JSON.stringify(more.options ?? {}),
            quote_only: more.quoteOnly ?? false,
            ...more.row,
          });
          return { id, importId };
        },
        /** Works, with time passing, until no PO has a next step or the account pauses. */
        run: async (): Promise<void> => {
          for (;;) {
            const ids = await active();
            if (ids.length === 0) return;
            await becomeDue();
            for (const id of ids) {
              const advanced = await step(id);
              if (advanced.kind === 'later' && advanced.why === 'paused') return;
            }
          }
        },
        row: async (poNumber: string): Promise<PoRow> => {
          const { rows } = await pool.query(
            `select p.*, array(select order_number from orders o where o.purchase_order_id = p.id order by 1) as order_numbers
             from purchase_orders p where account = $1 and po_number = $2 order by id desc limit 1`,
            [account, poNumber],
          );
          return rows[0];
        },
        pause: async () => {
          const { rows } = await pool.query(
            `select pause_code as code, pause_reason as reason, pauses,
               extract(epoch from paused_until - clock_timestamp())::float8 as "forSeconds",
               poll_note as "pollNote", polled_at as "polledAt"
             from account_states where account = $1`,
            [account],
          );
          return rows[0] as
            | {
                code: string | null;
                reason: string | null;
                pauses: number;
                forSeconds: number | null;
                pollNote: string | null;
                polledAt: Date | null;
              }
            | undefined;
        },
        /** Time passes until the pause is over. */
        pauseEnds: () =>
          pool.query('update account_states set paused_until = clock_timestamp() where account = $1', [
            account,
          ]),
        /** What the service's own log says was ordered. */
        ordered: async (poNumber: string): Promise<JudgedOrder[]> =>
          (await ordersByPo(pool, { dealer })).get(poNumber) ?? [],
        steer: async (
          action: SteerAction,
          filter: SteerFilter,
          who = 'Ann',
          note?: string,
        ): Promise<SteerResult['outcome'][]> => {
          const found = await findSteerable(pool, action, { account, ...filter });
          return (await steer(pool, action, found, { who, note })).map(({ outcome }) => outcome);
        },
        poll: (over: { now?: Date } = {}): Promise<Polled> =>
          pollAccount(account, {
            ledger: createTrackingLedger(pool),
            api: heard,
            rules: { finalStatuses: ['Invoiced'], unchangedMs: 180 * 86_400_000, ...options.tracking },
            placing: rules,
            logger,
            now: () => over.now ?? new Date(),
          }),
      };
    },

    end: async () => {
      for (const api of apis) api.stop();
      await Promise.all(services.map((service) => service.stop()));
      await pool.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
export type Placing = Awaited<ReturnType<typeof openPlacing>>;
export type PlacingAccount = ReturnType<Placing['account']>;

/** Quantities of a PO's orders by SKU, all together. */
export const quantitiesOf = (orders: readonly JudgedOrder[]): Record<string, number> => {
  const total: Record<string, number> = {};
  for (const order of orders) {
    for (const [sku, quantity] of Object.entries(order.quantities)) total[sku] = (total[sku] ?? 0) + quantity;
  }
  return total;
};

export const sends = (calls: readonly string[]): string[] =>
  calls.filter((call) => !call.startsWith('show') && !call.startsWith('list'));

export const rowsOf = async (
  pool: pg.Pool,
  sql: string,
  values: unknown[] = [],
  // biome-ignore lint/suspicious/noExplicitAny: rows whose shape the test is about to prove.
): Promise<any[]> => (await pool.query(sql, values)).rows;
