import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { plainIssues } from '../contract/plain-issues.ts';
import { makeDataFolder } from '../embedded/data-folder.ts';
import { createOwnDatabase } from '../embedded/own-database.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { createLogger } from '../logger.ts';
import { CannotStart } from '../service/cannot-start.ts';
import { type ServiceSettings, safeServiceConfig, serviceConfigSchema } from '../service/config.ts';
import { entriesOf } from '../service/control/checked.ts';
import type { Control } from '../service/control/control.ts';
import type { SeedInput } from '../service/control/seeds.ts';
import type { FaultRule, FaultRuleInput } from '../service/fault-rules.ts';
import { listenService } from '../service/listen-service.ts';
import { explainDatabase } from './explain-database.ts';

/**
 * All settings of the service (docs/service.md#settings), and the place of its data. Pass tokens as `token` and `adminToken`:
 * no environment variables are read.
 */
export interface StartServiceOptions extends Omit<ServiceSettings, 'seed' | 'adminTokenEnv'> {
  /** Carts and orders to create at the start and after each reset. */
  seed?: SeedInput[];
  /** The admin token. Setting it enables /admin, also for remote callers that send the token. */
  adminToken?: string;
  /** The address of a Postgres with an empty database; without it, the built-in Postgres is used. */
  databaseUrl?: string;
  /**
   * Folder of the built-in Postgres; created if it does not exist. Services with the same folder share its server; each has its
   * own database, which `stop` removes. The default is `.cache/cartwright/mock` in the home folder.
   */
  dataFolder?: string;
  /** Log verbosity; the log is written to standard error. The default is `warn`. */
  logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Checked at run time, because callers may be untyped. */
const placeSchema = z.object({
  databaseUrl: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, {
      error: 'an address such as postgres://USER:PASSWORD@HOST:5432/DATABASE',
    })
    .optional(),
  dataFolder: z.string().min(1).optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
});

/**
 * A running service, with everything that tests can do to it. Invalid input throws an error whose message names the field and its
 * allowed values (`errors` lists all fields). After `stop`, all functions but `journal.list`, `faults.list` and `stop` throw.
 */
export interface StartedService
  extends Pick<Control, 'reset' | 'clock' | 'setStatus' | 'release' | 'journal'> {
  /** Its base address, such as `http://127.0.0.1:43121`. */
  url: string;
  /** Creates carts and orders; throws an error with a sentence about the first one that is refused. */
  seed(...seeds: SeedInput[]): ReturnType<Control['seed']>;
  faults: {
    list(): { rule: FaultRule; met: number; given: number }[];
    /** Replaces all rules. */
    set(...rules: FaultRuleInput[]): void;
  };
  /** Stops the service and removes its database. Idempotent. */
  stop(): Promise<void>;
}

const openDatabase = async (
  { databaseUrl, dataFolder }: z.infer<typeof placeSchema>,
  logger: ReturnType<typeof createLogger>,
) => {
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => {} };
  const folder = path.resolve(dataFolder ?? path.join(homedir(), '.cache', 'cartwright', 'mock'));
  await makeDataFolder(folder).catch((thrown: Error) => {
    throw new Error(`startService cannot use its data folder. ${thrown.message}.`, { cause: thrown });
  });
  const server = await startEmbeddedPostgres({ dataFolder: folder, logger, durable: false });
  try {
    const own = await createOwnDatabase(server.url, 'mock');
    const close = async () => {
      await own.drop();
      await server.stop();
    };
    return { url: own.url, close };
  } catch (thrown) {
    await server.stop();
    throw thrown;
  }
};

/** Options that name tokens in variables, which would silently be ignored. */
const unreadTokens = (options: object): { field: string; message: string }[] => {
  const { dealers = [] } = options as { dealers?: unknown };
  const inCode = 'startService reads no environment variables; give the token itself as';
  return [
    ...('adminTokenEnv' in options ? [{ field: 'adminTokenEnv', message: `${inCode} adminToken` }] : []),
    ...('adminToken' in options && !options.adminToken
      ? [{ field: 'adminToken', message: 'text that is not empty' }]
      : []),
    ...(Array.isArray(dealers) ? (dealers as unknown[]) : []).flatMap((dealer, at) =>
      typeof dealer === 'object' && dealer !== null && 'tokenEnv' in dealer
        ? [{ field: `dealers.${at}.tokenEnv`, message: `${inCode} token` }]
        : [],
    ),
  ];
};

/**
 * Starts a dealer order service in this process, for tests: on a free port of loopback unless `port` is given, with the
 * built-in Postgres unless `databaseUrl` is given, and empty. docs/mock.md shows how to use it.
 *
 * @throws an error with a sentence if a setting, the database or the port is unusable; nothing is left running then
 */
export const startService = async (options: StartServiceOptions = {}): Promise<StartedService> => {
  const { databaseUrl, dataFolder, logLevel, ...settings } = options;
  const place = placeSchema.safeParse({ databaseUrl, dataFolder, logLevel }, { error: plainIssues });
  const parsed = safeServiceConfig({ port: 0, ...settings }, { error: plainIssues });
  const lines = [
    ...[place, parsed].flatMap(({ error }) =>
      error ? entriesOf(error, { schema: serviceConfigSchema }) : [],
    ),
    ...unreadTokens(options),
  ].map(({ field, message }) => `  ${field}: ${message}`);
  if (!place.success || !parsed.success || lines.length > 0) {
    throw new Error(`startService cannot start with these settings:\n${lines.join('\n')}`);
  }
  const logger = createLogger({ level: place.data.logLevel, readable: false });
  const database = await openDatabase(place.data, logger);
  const service = await listenService({ config: parsed.data, logger, databaseUrl: database.url }).catch(
    async (thrown: unknown) => {
      await database.close();
      if (databaseUrl === undefined || thrown instanceof CannotStart) throw thrown;
      throw new Error(explainDatabase(thrown, databaseUrl), { cause: thrown });
    },
  );
  const { control, faults, url } = service;
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await service.stop();
    await database.close();
  };
  const assertRunning = () => {
    if (stopped) throw new Error('This service has been stopped. Start another one with startService.');
  };
  /** Wraps a function that needs the database. */
  const whileRunning =
    <A extends unknown[], T>(act: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      assertRunning();
      return act(...given).catch((thrown: unknown) => {
        assertRunning();
        throw thrown;
      });
    };
  return {
    url,
    reset: whileRunning(control.reset),
    seed: whileRunning((...seeds: SeedInput[]) => control.seed(seeds)),
    clock: whileRunning(control.clock),
    setStatus: whileRunning(control.setStatus),
    release: whileRunning(control.release),
    journal: control.journal,
    faults: {
      list: faults.list,
      set: (...rules) => {
        assertRunning();
        faults.replace(rules);
      },
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
