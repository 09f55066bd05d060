import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { makeDataFolder } from '../embedded/data-folder.ts';
import { createOwnDatabase } from '../embedded/own-database.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { createLogger } from '../logger.ts';
import { type ServiceSettings, serviceConfigSchema } from '../service/config.ts';
import type { Control } from '../service/control/control.ts';
import type { SeedInput } from '../service/control/seeds.ts';
import type { FaultRule, FaultRuleInput } from '../service/fault-rules.ts';
import { listenService } from '../service/listen-service.ts';

/** Every setting of the service (docs/service.md#settings), and where it keeps its data. */
export interface StartServiceOptions extends Omit<ServiceSettings, 'seed' | 'adminTokenEnv'> {
  /** Carts and orders to create at the start and after each reset. */
  seed?: SeedInput[];
  /** The address of a Postgres with an empty database; without it, the built-in Postgres is used. */
  databaseUrl?: string;
  /**
   * Folder of the built-in Postgres, which is created if it does not exist. All services with one folder share its server; each
   * has a database of its own, which `stop` removes. The default is `.cache/cartwright/mock` in the home folder.
   */
  dataFolder?: string;
  /** Log verbosity; the log is written to standard error. The default is `warn`. */
  logLevel?: 'debug' | 'info' | 'warn' | 'error' | 'silent';
}

/** Callers may be untyped. */
const placeSchema = z.object({
  databaseUrl: z.string().min(1).optional(),
  dataFolder: z.string().min(1).optional(),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
});

/** A running service, with everything that tests do to it. */
export interface StartedService
  extends Pick<Control, 'reset' | 'clock' | 'setStatus' | 'release' | 'journal'> {
  /** Its base address, such as `http://127.0.0.1:43121`. */
  url: string;
  /** Creates carts and orders; throws an error with a sentence for the first that is refused. */
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

/**
 * Starts a dealer order service in this process, for tests: on a free port of loopback unless `port` is given, with the
 * built-in Postgres unless `databaseUrl` is given, and empty. docs/mock.md shows how to use it.
 *
 * @throws an error with a sentence if a setting, the database or the port is unusable; nothing is left running then
 */
export const startService = async (options: StartServiceOptions = {}): Promise<StartedService> => {
  const { databaseUrl, dataFolder, logLevel, ...settings } = options;
  const place = placeSchema.safeParse({ databaseUrl, dataFolder, logLevel });
  const parsed = serviceConfigSchema.safeParse({ port: 0, ...settings });
  if (!place.success || !parsed.success) {
    const lines = [place, parsed].flatMap(({ error }) =>
      (error?.issues ?? []).map((issue) => `  ${issue.path.join('.') || 'settings'}: ${issue.message}`),
    );
    throw new Error(`startService cannot start with these settings:\n${lines.join('\n')}`);
  }
  const logger = createLogger({ level: place.data.logLevel, readable: false });
  const database = await openDatabase(place.data, logger);
  const service = await listenService({ config: parsed.data, logger, databaseUrl: database.url }).catch(
    async (thrown: unknown) => {
      await database.close();
      throw thrown;
    },
  );
  const { control, faults, url } = service;
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await service.stop();
    await database.close();
  };
  return {
    url,
    reset: control.reset,
    seed: (...seeds) => control.seed(seeds),
    clock: control.clock,
    setStatus: control.setStatus,
    release: control.release,
    journal: control.journal,
    faults: { list: faults.list, set: (...rules) => faults.replace(rules) },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
