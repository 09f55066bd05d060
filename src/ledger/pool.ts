import pg from 'pg';
import { messageOf, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { ledgerSchema } from './migrate.ts';

export interface PoolOptions {
  /** Connections at most. */
  max: number;
  logger: Logger;
  /** Default: the ledger's schema. */
  searchPath?: string;
  applicationName?: string;
  /** False: a commit does not wait for the disk. Only for what may be lost at any time. */
  durable?: boolean;
  /** True: Postgres refuses every statement that would change something. */
  readOnly?: boolean;
}

/** The address without its password, for a person to read. */
export const placeOf = (url: string): string => {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}${port ? `:${port}` : ''}${pathname}`;
  } catch {
    return 'the configured address';
  }
};

/**
 * Connections to a Postgres. A connection that breaks while idle is said and replaced; it never ends the
 * process. Nothing is connected before the first query.
 */
export const createPool = (url: string, options: PoolOptions): pg.Pool => {
  const { max, logger, searchPath = ledgerSchema, applicationName = 'cartwright', durable = true } = options;
  const settings = [
    `search_path=${searchPath}`,
    ...(durable ? [] : ['synchronous_commit=off']),
    ...(options.readOnly ? ['default_transaction_read_only=on'] : []),
  ];
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  });
  pool.on('error', (err) => logger.warn({ err }, 'a connection to the database broke'));
  // One that breaks while it is lent out, between two queries, says so itself; its next query fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/**
 * Asks the database for a sign of life.
 * @throws UserError `database_down` that names where it was looked for and why it failed
 */
export const assertDatabase = async (pool: pg.Pool, url: string): Promise<void> => {
  try {
    await pool.query('select 1');
  } catch (cause) {
    // pg gives an AggregateError without words where several addresses were tried.
    const why = cause instanceof AggregateError ? messageOf(cause.errors[0]) : messageOf(cause);
    throw new UserError(
      'database_down',
      `The database at ${placeOf(url)} cannot be used: ${why}. Start it, or mend DATABASE_URL (leave it out for the built-in database).`,
      { cause },
    );
  }
};
