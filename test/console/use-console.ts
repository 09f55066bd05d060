import { afterAll, beforeAll } from 'vitest';
import type { Role } from '../../src/api-contract/access.ts';
import type { ConsoleSettings } from '../../src/config/config.ts';
import { describeSettings } from '../../src/config/describe-settings.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { newSecret, newToken } from '../../src/console/access/secrets.ts';
import type { ConsoleApp, ConsoleDeps } from '../../src/console/console-app.ts';
import type { ConsoleWork } from '../../src/console/console-work.ts';
import { createConsole } from '../../src/console/create-console.ts';
import { startSession } from '../../src/ledger/console/sessions.ts';
import { addToken } from '../../src/ledger/console/tokens.ts';
import { addUser } from '../../src/ledger/console/users.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { type Address, startAddress } from '../support/start-address.ts';

const settings: ConsoleSettings = {
  host: '127.0.0.1',
  port: 0,
  publicUrl: undefined,
  tls: undefined,
  trustProxy: [],
  session: { idleMs: 3_600_000, absoluteMs: 86_400_000 },
  openId: undefined,
  queues: { readOnly: true },
  uploads: { maxMb: 200 },
};
/** No queue, no worker and no folder. */
export const idleWork: ConsoleWork = {
  enqueueChanged: async () => {},
  continueAnswered: async () => {},
  enqueueImports: async () => {},
  fillAccounts: async () => {},
  continueBulkRuns: () => {},
  listSchedules: async () => [],
  listAllSchedules: async () => ({ schedules: [], closed: [] }),
  runNow: async () => {},
  refreshOrders: async () => ({ done: true, sentence: '1 PO read, nothing has changed.', changes: 0 }),
  lookInFiles: async () => ({ found: [], similar: [], looked: 0, notLooked: 0, since: null }),
  writeResult: async () => {},
  findProblems: async () => [],
};
const by = { who: 'test', via: 'command line' } as const;

/** The headers that a browser sends with the console's own requests. */
export const ownHeaders = { host: 'localhost:8490', 'x-cartwright': '1' };

/**
 * A console with a ledger of its own for the tests of a file. Requests are made with `console.app.inject`.
 * @param more settings and dependencies that differ from the defaults
 */
export const useConsole = (
  more: {
    settings?: Partial<ConsoleSettings>;
    deps?: Partial<ConsoleDeps>;
    work?: Partial<ConsoleWork>;
    /** `database` can freeze the ledger's Postgres. */
    freezable?: boolean;
  } = {},
) => {
  const use = {} as {
    database: Address;
    deps: ConsoleDeps;
    app: ConsoleApp;
    makeFirstLink(): Promise<string | undefined>;
  };
  let close: () => Promise<void>;
  beforeAll(async () => {
    const database = await createTestDatabase({ migrated: true });
    const url = new URL(database.url);
    if (more.freezable) {
      const port = Number(url.port);
      use.database = await startAddress(() => port);
      url.port = String(use.database.port);
    }
    const pool = createPool(url.href, { max: 8, logger: silentLogger });
    await migrateLedger(pool);
    const config = loadConfig({}, {});
    use.deps = {
      pool,
      version: '0.0.0',
      config,
      describeSettings: () => describeSettings(config).map(({ name, value }) => ({ name, value })),
      settings: { ...settings, ...more.settings },
      logger: silentLogger,
      health: {
        readiness: async () => ({ ready: true }),
        metrics: async () => ({ contentType: 'text/plain', text: 'figures 1\n' }),
      },
      // A copy, because other files of the same worker share the object.
      work: { ...idleWork, ...more.work },
      addQueueView: async (app, path) => void app.get(path, async () => 'jobs'),
      webFolder: '/nowhere',
      ...more.deps,
    };
    Object.assign(use, await createConsole(use.deps));
    close = async () => {
      await use.app.close();
      await pool.end();
      use.database?.stop();
      await database.drop();
    };
  });
  afterAll(() => close());

  return Object.assign(use, {
    /** Headers of a browser in which a new user has signed in; the user has no password. */
    signedIn: async (
      role: Role,
      accounts: string[] | null = null,
      name = `${role} ${newSecret().secret.slice(0, 6)}`,
    ) => {
      const user = await addUser(use.deps.pool, { name, role, accounts, password: null }, by);
      const { secret, hash } = newSecret();
      await startSession(use.deps.pool, {
        user: user!,
        tokenHash: hash,
        previousTokenHash: undefined,
        address: '127.0.0.1',
        browser: 'test',
        limits: use.deps.settings.session,
      });
      return { ...ownHeaders, cookie: `cartwright=${secret}` };
    },
    /** Headers of a program with a new token. */
    withToken: async (role: Role, accounts: string[] | null = null) => {
      const { secret, hash } = newToken();
      await addToken(use.deps.pool, { name: role, role, accounts, tokenHash: hash, days: null }, by);
      return { host: ownHeaders.host, authorization: `Bearer ${secret}` };
    },
  });
};
