import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { placeOf, readDatabaseAddress } from './database-address.ts';
import { longShare, setAside } from './long-work.ts';
import { ledgerSchema } from './migrate.ts';
import { SessionClient, type SessionSettings } from './session.ts';

export interface PoolOptions {
  /** Maximum number of connections. */
  max: number;
  logger: Logger;
  /** Default: the ledger's schema. */
  searchPath?: string;
  applicationName?: string;
  /** False: commits do not wait for the disk. Only for data that may be lost at any time. */
  durable?: boolean;
  /** Reserve a quarter of the connections for work that waits for something other than Postgres. */
  longWork?: boolean;
  /** True: Postgres refuses every statement that changes something. */
  readOnly?: boolean;
}

// Reading a large file takes minutes of statements, and an open transaction may wait for a file: limits that an
// administrator sets for interactive users would stop both.
const withoutLimits = {
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
};

const diskFull = '53100';
const alarmEveryMs = 600_000;
const lostEveryMs = 10_000;

// Ledger and queue are often on the same server.
const fullAt = new Map<string, number>();

/** Logs a full disk once for each server, however many pools and statements it stops. */
const createDiskAlarm = (url: string, logger: Logger): ((code: string | undefined) => void) => {
  const place = placeOf(url);
  return (code) => {
    const loggedAt = fullAt.get(place) ?? Number.NEGATIVE_INFINITY;
    if (code !== diskFull || performance.now() - loggedAt < alarmEveryMs) return;
    fullAt.set(place, performance.now());
    logger.error(
      { code: 'database_full' },
      `The disk of the database at ${place} is full: make room there. Nothing is sent that cannot be recorded; POs continue when there is room`,
    );
  };
};

/**
 * A pool of connections to Postgres, directly or through a pooler. A connection that breaks while idle is logged and
 * replaced; it never ends the process. The first query opens the first connection.
 *
 * @throws UserError `database_address` for an address with mistakes
 */
export const createPool = (url: string, options: PoolOptions): pg.Pool => {
  const { max, logger, searchPath = ledgerSchema, applicationName = 'cartwright', durable = true } = options;
  const settings: SessionSettings = {
    search_path: searchPath,
    ...withoutLimits,
    // JIT compilation takes longer than almost all of our statements run, and on a large ledger many look expensive.
    jit: 'off',
    ...(durable ? {} : { synchronous_commit: 'off' }),
    ...(options.readOnly ? { default_transaction_read_only: 'on', transaction_read_only: 'on' } : {}),
  };
  class Client extends SessionClient {
    constructor(config: pg.ClientConfig) {
      super(config, settings);
    }
  }
  const noteFullDisk = createDiskAlarm(url, logger);
  let lostAt = Number.NEGATIVE_INFINITY;
  const open = (connections: number): pg.Pool => {
    const pool = new pg.Pool({
      ...readDatabaseAddress(url),
      Client: Client as unknown as NonNullable<pg.PoolConfig['Client']>,
      max: connections,
      application_name: applicationName,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
    });
    pool.on('connect', (client) => {
      const { connection } = client as unknown as { connection: EventEmitter };
      connection.on('errorMessage', ({ code }: { code?: string }) => noteFullDisk(code));
    });
    pool.on('error', (error) => {
      // A server that shuts down breaks all connections at once, so log it once; the driver's stack trace is useless.
      if (performance.now() - lostAt < lostEveryMs) return;
      lostAt = performance.now();
      logger.warn(
        { reason: messageOf(error) },
        'Lost an idle connection to the database; it will be replaced',
      );
    });
    return pool;
  };
  const forLongWork = options.longWork ? longShare(max) : 0;
  const pool = open(max - forLongWork);
  if (forLongWork === 0) return pool;
  const long = open(forLongWork);
  setAside(pool, long, forLongWork);
  const end = pool.end.bind(pool);
  pool.end = (async () => {
    await Promise.all([end(), long.end()]);
  }) as typeof pool.end;
  return pool;
};
