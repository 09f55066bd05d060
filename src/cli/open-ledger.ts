import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config-schema.ts';
import { hasEmbeddedPostgres } from '../embedded/place.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { UserError } from '../errors.ts';
import { inspectLedger, migrateLedger } from '../ledger/migrate.ts';
import { assertDatabase, createPool, placeOf } from '../ledger/pool.ts';
import type { Logger } from '../logger.ts';

export interface OpenLedger {
  /** Address with its password: never to be logged. */
  url: string;
  pool: pg.Pool;
  stop(): Promise<void>;
}

interface LedgerOptions {
  config: Config;
  logger: Logger;
  connections: number;
  /** Called with a sentence for people while this waits for another host; default: the log. */
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
      const embedded = await startEmbeddedPostgres({ dataFolder, logger, ...(tell ? { tell } : {}) });
      stopEmbedded = embedded.stop;
      url = embedded.url;
    }
    pool = createPool(url, { max: connections, logger, readOnly });
    await assertDatabase(pool, url);
    return { url, pool, stop, prepared: await prepare(pool, url) };
  } catch (error) {
    await stop();
    throw error;
  }
};

/**
 * The ledger's Postgres: the configured one, or the built-in one in the data folder, made where it is missing;
 * migrated.
 *
 * @throws UserError `database_down`, `ledger_newer`, or what the built-in database says
 */
export const openLedger = (options: LedgerOptions): Promise<OpenLedger> => open(options, {}, migrateLedger);

const noLedger = (where: string): UserError =>
  new UserError(
    'ledger_missing',
    `There is no ledger in ${where} yet: nothing was imported. \`cartwright up\` or \`cartwright import\` creates it. If there should be one, check --config, CARTWRIGHT_DATA and DATABASE_URL.`,
  );

/**
 * The ledger as it is, to be read: nothing is made and nothing migrated. A built-in Postgres that does not run is
 * started, since it cannot be read otherwise.
 *
 * @throws UserError `ledger_missing`, `ledger_older`, and what `openLedger` throws
 */
export const openLedgerToRead = async (options: LedgerOptions): Promise<OpenLedger> => {
  const { config } = options;
  if (config.databaseUrl === undefined && !(await hasEmbeddedPostgres(config.dataFolder))) {
    throw noLedger(config.dataFolder);
  }
  return open(options, { readOnly: true }, async (pool, url) => {
    if ((await inspectLedger(pool)) === 'missing') {
      throw noLedger(
        config.databaseUrl === undefined ? config.dataFolder : `the database at ${placeOf(url)}`,
      );
    }
  });
};

/**
 * The ledger for a dry run, which is undone at its end. Before the first import there is none: then `ledger` is
 * `missing`, and without DATABASE_URL the Postgres is one in a temporary folder, removed by `stop`.
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
    // As root the server runs as another user, who has to get in.
    await chmod(dataFolder, 0o711);
    more = { dataFolder, stopLast: () => rm(dataFolder, { recursive: true, force: true }) };
  }
  const opened = await open(options, more, inspectLedger);
  return { ...opened, ledger: opened.prepared };
};
