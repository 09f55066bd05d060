import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { DealerApi } from '../../src/dealer-api/answers.ts';
import { createDealerApi } from '../../src/dealer-api/create-dealer-api.ts';
import { createThrottle } from '../../src/dealer-api/throttle.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import {
  type ActionResult,
  applyOperatorAction,
  findActionTargets,
  type PurchaseOrderFilter,
} from '../../src/ledger/po/operator-actions.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { type Logger, silentLogger } from '../../src/logger.ts';
import { type Advanced, advance } from '../../src/placing/advance.ts';
import { createCircuit } from '../../src/placing/circuit.ts';
import { systemClock } from '../../src/placing/lease.ts';
import type { OperatorAction } from '../../src/placing/operator-actions.ts';
import type { PlacingRules } from '../../src/placing/options.ts';
import type { Checkpoint } from '../../src/placing/placing-run.ts';
import { createReasonLog } from '../../src/placing/reason-log.ts';
import { activeStates } from '../../src/placing/types.ts';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { type Polled, pollAccount } from '../../src/tracking/poll-account.ts';
import type { TrackingRules } from '../../src/tracking/types.ts';
import { createTestDatabase } from './database.ts';
import { insertImport, insertPurchaseOrder, insertRow } from './ledger-rows.ts';
import { type JudgedOrder, ordersByPo } from './read-audit.ts';
import { startService } from './run-system.ts';

export interface Item {
  sku: string;
  quantity: number;
  expectedPrice?: string;
}

export interface AccountOptions {
  baseUrl: string;
  /** Undefined: the account's settings. */
  token?: string;
  rules?: Partial<PlacingRules>;
  tracking?: Partial<TrackingRules>;
  /** Wraps the real client. */
  around?: (api: DealerApi) => DealerApi;
  logger?: Logger;
}

/** A PO in the ledger. */
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

/** A ledger, services on one database, and accounts that no other test of the file uses. */
const openPlacing = async () => {
  const database = await createTestDatabase({ migrated: true });
  const pool = createPool(database.url, { max: 12, logger: silentLogger });
  await migrateLedger(pool);
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-placing-'));
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
        createRefusesExistingCart: false,
        createRefusesOrderedPo: false,
        requestTimeoutMs: 2000,
        readLagMs: 0,
        settleMs: 5000,
        unreachableAllowedMs: 86_400_000,
        deniedPauseMs: 300_000,
        linesInFlight: 1,
        rebuildsAllowed: 5,
        ...options.rules,
        guards: { backorder: false, unknownPrice: true, unusualQuantity: 10, ...options.rules?.guards },
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
          createThrottle(() => 32),
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
            circuit: createCircuit(),
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
      /** Makes every PO due. */
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
        /** Configures another address for the account. */
        moveTo: (baseUrl: string) => {
          api = apiAt(baseUrl);
        },
        /** Writes the pending log lines about holds and failures. */
        logReasons: () => reasonLog.stop(),
        step,
        active,
        becomeDue,
        /** Adds a PO with a new import, or to this one. */
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
        /** Runs POs, skipping their waits, until none has a next step or the account pauses. */
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
        /** Ends the pause of the account. */
        pauseEnds: () =>
          pool.query('update account_states set paused_until = clock_timestamp() where account = $1', [
            account,
          ]),
        /** The orders in the service's own log. */
        ordered: async (poNumber: string): Promise<JudgedOrder[]> =>
          (await ordersByPo(pool, { dealer })).get(poNumber) ?? [],
        act: async (
          action: OperatorAction,
          filter: PurchaseOrderFilter,
          who = 'Ann',
          note?: string,
        ): Promise<ActionResult['outcome'][]> => {
          const found = await findActionTargets(pool, action, { account, ...filter });
          return (await applyOperatorAction(pool, action, found, { who, note })).map(
            ({ outcome }) => outcome,
          );
        },
        poll: (over: { now?: Date; all?: boolean } = {}): Promise<Polled> =>
          pollAccount(
            account,
            {
              ledger: createTrackingLedger(pool),
              api: heard,
              rules: {
                pollOlder: [
                  { olderThanDays: 14, everyMs: 3_600_000 },
                  { olderThanDays: 30, everyMs: 4 * 3_600_000 },
                  { olderThanDays: 90, everyMs: 24 * 3_600_000 },
                ],
                finalStatuses: ['Invoiced'],
                unchangedMs: 180 * 86_400_000,
                seenWithinMs: 86_400_000,
                ...options.tracking,
              },
              placing: rules,
              logger,
              now: () => over.now ?? new Date(),
            },
            { all: over.all ?? false },
          ),
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
type OpenPlacing = Awaited<ReturnType<typeof openPlacing>>;
export type PlacingAccount = ReturnType<OpenPlacing['account']>;

/** For all tests of a file: a ledger, and one service with these settings for accounts without a service of their own. */
export const usePlacing = (settings: Parameters<OpenPlacing['serve']>[0] = {}) => {
  let open: OpenPlacing;
  let service: ListeningService;
  beforeAll(async () => {
    open = await openPlacing();
    service = await open.serve(settings);
  });
  afterAll(() => open.end());
  return {
    get pool() {
      return open.pool;
    },
    get databaseUrl() {
      return open.databaseUrl;
    },
    get service() {
      return service;
    },
    serve: (...args: Parameters<OpenPlacing['serve']>) => open.serve(...args),
    account: (options: Partial<AccountOptions> = {}) => open.account({ baseUrl: service.url, ...options }),
  };
};

/** Total quantities of a PO's orders by SKU. */
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
  // biome-ignore lint/suspicious/noExplicitAny: the test checks the shape of the rows.
): Promise<any[]> => (await pool.query(sql, values)).rows;
