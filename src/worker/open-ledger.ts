import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { hasEmbeddedPostgres } from '../embedded/server-location.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { UserError } from '../errors.ts';
import { assertDatabase, type DatabaseAccess } from '../ledger/assert-database.ts';
import { sendChanges } from '../ledger/changes.ts';
import { placeOf } from '../ledger/database-address.ts';
import { inspectLedger, migrateLedger } from '../ledger/migrate.ts';
import { createPool } from '../ledger/pool.ts';
import type { Logger } from '../logger.ts';

export interface OpenLedger {
  /** Contains the password: never log it. */
  url: string;
  pool: pg.Pool;
  access: DatabaseAccess;
  stop(): Promise<void>;
}

interface LedgerOptions {
  config: Config;
  logger: Logger;
  connections: number;
  /** Called with a sentence for people while this waits for another host or another session; default: the log. */
  tell?: ((sentence: string) => void) | undefined;
}

const open = async <T>(
  { config, logger, connections, tell }: LedgerOptions,
  {
    dataFolder = config.dataFolder,
    readOnly = false,
    stopLast = async () => {},
  }: { dataFolder?: string; readOnly?: boolean; stopLast?: () => Promise<void> },
  prepare: (pool: pg.Pool, url: string) => Promise<T>,
): Promise<OpenLedger & { prepared: T }> => {
  let stopEmbedded = async (): Promise<void> => {};
  let pool: pg.Pool | undefined;
  let stopped: Promise<void> | undefined;
  const stopAll = async (): Promise<void> => {
    if (pool && !readOnly) await sendChanges(pool);
    await pool?.end();
    await stopEmbedded();
    await stopLast();
  };
  const stop = () => {
    stopped ??= stopAll();
    return stopped;
  };
  try {
    let url = config.databaseUrl;
    if (url === undefined) {
      const embedded = await startEmbeddedPostgres({
        dataFolder,
        logger,
        ...(tell ? { onWaiting: tell } : {}),
      });
      stopEmbedded = embedded.stop;
      url = embedded.url;
    }
    pool = createPool(url, { max: connections, longWork: true, logger, readOnly });
    const access = await assertDatabase(pool, url, { readOnly });
    return { url, pool, access, stop, prepared: await prepare(pool, url) };
  } catch (error) {
    await stop();
    throw error;
  }
};

/**
 * Opens the ledger in the configured Postgres, or in the built-in one of the data folder (created if it is missing), and
 * migrates it.
 *
 * @throws UserError `database_down`, `ledger_newer`, or an error of the built-in database
 */
export const openLedger = (options: LedgerOptions): Promise<OpenLedger> => {
  const { logger, tell = (sentence) => logger.warn({ code: 'migration_waits' }, sentence) } = options;
  return open(options, {}, (pool) => migrateLedger(pool, { telling: { tell } }));
};

/**
 * Opens the database for a restore, which creates the ledger itself. The built-in Postgres is created if it is missing.
 *
 * @throws as `openLedger`
 */
export const openLedgerToRestore = (options: LedgerOptions): Promise<OpenLedger> =>
  open(options, {}, async () => {});

/** The ledger's database, for messages. */
export const ledgerPlace = ({ databaseUrl, dataFolder }: Config): string =>
  databaseUrl === undefined ? dataFolder : `the database at ${placeOf(databaseUrl)}`;

const noLedger = (where: string): UserError =>
  new UserError(
    'ledger_missing',
    `There is no ledger in ${where} yet, because nothing was imported. \`cartwright up\` or \`cartwright import\` creates it. ${existsSync(join(where, 'sandbox')) ? 'There is a sandbox: with --sandbox, commands show what it has. ' : ''}If there should be one, check --config, CARTWRIGHT_DATA and DATABASE_URL.`,
  );

/**
 * Opens the ledger read-only: nothing is created or migrated. The built-in Postgres is started if it is not running.
 *
 * @throws UserError `ledger_missing`, `ledger_older`, and what `openLedger` throws
 */
export const openLedgerToRead = async (options: LedgerOptions): Promise<OpenLedger> => {
  const { config } = options;
  if (config.databaseUrl === undefined && !(await hasEmbeddedPostgres(config.dataFolder))) {
    throw noLedger(config.dataFolder);
  }
  return open(options, { readOnly: true }, async (pool) => {
    if ((await inspectLedger(pool)) === 'missing') throw noLedger(ledgerPlace(config));
  });
};

/**
 * Opens the database read-only for a diagnosis, even if its ledger has another version. Nothing is created or migrated. `ledger`
 * is the reason why a ledger of another version cannot be used.
 *
 * @throws UserError what `openLedger` throws
 */
export const openDatabaseToInspect = async (
  options: LedgerOptions,
): Promise<OpenLedger & { ledger: 'current' | 'missing' | UserError }> => {
  const opened = await open(options, { readOnly: true }, (pool) =>
    inspectLedger(pool).catch((thrown: unknown) => {
      if (thrown instanceof UserError) return thrown;
      throw thrown;
    }),
  );
  return { ...opened, ledger: opened.prepared };
};

/**
 * Opens the ledger for a dry run, which is rolled back at its end. Before the first import there is no ledger: then
 * `ledger` is `missing`, and without DATABASE_URL the Postgres is in a temporary folder that `stop` removes.
 *
 * @throws UserError `ledger_older`, and what `openLedger` throws
 */
export const openLedgerToRehearse = async (
  options: LedgerOptions,
): Promise<OpenLedger & { ledger: 'current' | 'missing' }> => {
  const { config } = options;
  let more: Parameters<typeof open>[1] = {};
  if (config.databaseUrl === undefined && !(await hasEmbeddedPostgres(config.dataFolder))) {
    const dataFolder = await mkdtemp(join(tmpdir(), 'cartwright-dry-run-'));
    // Under root, Postgres runs as another user, who must be able to enter the folder.
    await chmod(dataFolder, 0o711);
    more = { dataFolder, stopLast: () => rm(dataFolder, { recursive: true, force: true }) };
  }
  const opened = await open(options, more, inspectLedger);
  return { ...opened, ledger: opened.prepared };
};
