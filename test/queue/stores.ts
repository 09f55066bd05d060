import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { queueSchema } from '../../src/queue/backend.ts';
import { createTestDatabase } from '../support/database.ts';
import type { TestRedis } from '../support/redis.ts';
import type { Store } from './use-queues.ts';

/** An empty part of a Redis. */
export const openRedisStore = async (redis: TestRedis): Promise<Store> => {
  const command = async (...args: [string, ...string[]]) => {
    const client = new Redis(redis.url);
    await client.call(...args);
    client.disconnect();
  };
  return {
    address: { kind: 'redis', url: redis.url, prefix: `test-${randomUUID()}` },
    backend: { kind: 'redis', url: redis.url },
    lose: () => command('FLUSHALL'),
    breakConnections: () => redis.restart(),
    close: async () => {},
  };
};

/** A separate database. */
export const openPostgresStore = async (): Promise<Store> => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 12, searchPath: queueSchema, logger: silentLogger });
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  return {
    address: { kind: 'postgres', url: database.url, prefix: 'test' },
    backend: { kind: 'postgres', pool },
    lose: () => run(`drop schema ${queueSchema} cascade`),
    breakConnections: () =>
      run(`select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`),
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
};
