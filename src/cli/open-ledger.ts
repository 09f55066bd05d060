import type pg from 'pg';
import type { Config } from '../config-schema.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { migrateLedger } from '../ledger/migrate.ts';
import { assertDatabase, createPool } from '../ledger/pool.ts';
import type { Logger } from '../logger.ts';

export interface OpenLedger {
  /** Address with its password: never to be logged. */
  url: string;
  pool: pg.Pool;
  stop(): Promise<void>;
}

/**
 * The ledger's Postgres: the configured one, or the built-in one in the data folder; migrated.
 * @throws UserError `database_down`, or what the built-in database says
 */
export const openLedger = async (
  config: Config,
  logger: Logger,
  connections: number,
): Promise<OpenLedger> => {
  const embedded =
    config.databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataFolder: config.dataFolder, logger })
      : undefined;
  const url = config.databaseUrl ?? embedded!.url;
  const pool = createPool(url, { max: connections, logger });
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await pool.end();
    await embedded?.stop();
  };
  try {
    await assertDatabase(pool, url);
    await migrateLedger(pool);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    pool,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
