import {
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  DEFAULT_SCHEMA,
  type IQueueBackend,
  type Queue,
  runMigrations,
} from 'bullmq';
import type pg from 'pg';
import { messageOf, plainCause, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { connectRedis } from './connect-redis.ts';

/** The Postgres schema of the queue: the `search_path` of a Postgres queue's pool. */
export const queueSchema = DEFAULT_SCHEMA;

export type QueueBackend =
  | { kind: 'redis'; url: string }
  /** The pool's `search_path` is `queueSchema`. Every worker occupies one of its connections. */
  | { kind: 'postgres'; pool: pg.Pool };

/** A BullMQ queue on either backend. */
export type BullQueue = Queue<unknown, unknown, string, unknown, unknown, string, IQueueBackend, unknown>;

export interface OpenBackend {
  factory: BackendFactory<IQueueBackend, unknown>;
  /** The `connection` options of BullMQ's queues and workers. */
  forQueues: unknown;
  forWorkers: unknown;
  /** The prefix of BullMQ's keys for this name. */
  prefixFor(name: string): string;
  /** The `maxmemory-policy` with which Redis may evict jobs; undefined if it evicts none. Logged when it changes. */
  evicts(): Promise<string | undefined>;
  /** How many connections BullMQ may use at once; undefined without a limit. */
  maxConnections: number | undefined;
  /** After a failed call: restores lost parts of the store. True if the call should be repeated. */
  repair(error: unknown): Promise<boolean>;
  disconnect(): void;
}

// Undefined table, function, schema.
const lostSchema = new Set(['42P01', '42883', '3F000']);

/** The queue's schema was dropped under a running worker. */
export const hasLostSchema = (error: unknown): boolean =>
  lostSchema.has((error as { code?: string }).code ?? '');

const rolledBackCodes = new Set(['40P01', '40001']);

/** Deadlock or serialization failure: BullMQ's statement was rolled back and is repeated without anybody's help. */
export const wasRolledBack = (error: unknown): boolean =>
  rolledBackCodes.has((error as { code?: string }).code ?? '');

const openPostgres = async (pool: pg.Pool): Promise<OpenBackend> => {
  // Each queue and each worker of BullMQ listens to the pool: more listeners than Node's leak warning allows.
  pool.setMaxListeners(0);
  const migrate = async (): Promise<void> => {
    const client = await pool.connect();
    try {
      await runMigrations(client);
    } finally {
      client.release();
    }
  };
  try {
    await migrate();
  } catch (cause) {
    const why = cause instanceof AggregateError ? messageOf(cause.errors[0]) : messageOf(cause);
    throw new UserError(
      'queue_down',
      `The job queue's database cannot be used: ${plainCause(why)}. Start it.`,
      {
        cause,
      },
    );
  }
  return {
    factory: createPostgresBackend as BackendFactory<IQueueBackend, unknown>,
    forQueues: pool,
    forWorkers: pool,
    prefixFor: (name) => name,
    evicts: async () => undefined,
    maxConnections: pool.options.max,
    async repair(error) {
      if (wasRolledBack(error)) return true;
      if (!hasLostSchema(error)) return false;
      await migrate();
      return true;
    },
    disconnect() {},
  };
};

const openRedis = async (url: string, logger: Logger): Promise<OpenBackend> => {
  const { producer, consumer, place, isCluster, evicts, disconnect } = await connectRedis(url, logger);
  let warnedOf: string | undefined;
  const warnOfEviction = async () => {
    const policy = await evicts();
    if (policy !== undefined && policy !== warnedOf) {
      logger.warn(
        { reason: policy },
        `Redis at ${place} may evict jobs when its memory is full (the sweep enqueues them again): set maxmemory-policy to noeviction`,
      );
    }
    warnedOf = policy;
    return policy;
  };
  await warnOfEviction();
  return {
    factory: createRedisBackend as BackendFactory<IQueueBackend, unknown>,
    forQueues: producer,
    forWorkers: consumer,
    // A cluster executes a script only on keys of one node: keys with the same text in braces.
    prefixFor: (name) => (isCluster ? `{${name}}` : name),
    evicts: warnOfEviction,
    maxConnections: undefined,
    repair: async () => false,
    disconnect,
  };
};

/**
 * Connects to the store of the queue and prepares it.
 * @throws UserError `queue_down`, `queue_unsupported`
 */
export const openBackend = (backend: QueueBackend, logger: Logger): Promise<OpenBackend> =>
  backend.kind === 'redis' ? openRedis(backend.url, logger) : openPostgres(backend.pool);
