import pg from 'pg';
import { messageOf, plainCause, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { ledgerSchema } from './migrate.ts';

export interface PoolOptions {
  /** Maximum number of connections. */
  max: number;
  logger: Logger;
  /** Default: the ledger's schema. */
  searchPath?: string;
  applicationName?: string;
  /** False: commits do not wait for the disk. Only for data that may be lost at any time. */
  durable?: boolean;
  /** True: Postgres refuses every statement that changes something. */
  readOnly?: boolean;
}

/** A database address without its user and password, for messages. */
export const placeOf = (url: string): string => {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}${port ? `:${port}` : ''}${pathname}`;
  } catch {
    return 'the configured address';
  }
};

/**
 * A pool of connections to Postgres. A connection that breaks while idle is logged and replaced; it never ends the
 * process. The first query opens the first connection.
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
  pool.on('error', (err) => logger.warn({ err }, 'lost an idle connection to the database'));
  // A connection can also break between two queries of its user; its next query then fails.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

const tooManyConnections = '53300';

/**
 * Checks that the database answers.
 * @throws UserError `database_down` with the address and the reason
 */
export const assertDatabase = async (pool: pg.Pool, url: string): Promise<void> => {
  try {
    await pool.query('select 1');
  } catch (cause) {
    // If pg has tried several addresses, it throws an AggregateError without a message.
    const why = cause instanceof AggregateError ? messageOf(cause.errors[0]) : messageOf(cause);
    const isFull = (cause as { code?: unknown }).code === tooManyConnections;
    const advice = isFull
      ? 'Raise its max_connections, or stop programs that use it.'
      : 'Start it, or fix DATABASE_URL (unset it to use the built-in database).';
    throw new UserError(
      'database_down',
      `The database at ${placeOf(url)} cannot be used: ${plainCause(why)}. ${advice}`,
      { cause },
    );
  }
};
