import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { messageOf, plainCause, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';

const oldestVersion = [6, 2] as const;
const connectTimeoutMs = 5_000;
const commandTimeoutMs = 5_000;

export interface RedisConnections {
  /** For enqueuing: answers or fails within seconds, so that no job waits for an unreachable Redis. */
  producer: Redis;
  /** For workers: waits for as long as Redis is unreachable. */
  consumer: Redis;
  disconnect(): void;
}

/**
 * BullMQ writes its warning about the eviction policy to the console, once for each connection; ours is one line of the
 * log. So its connections always report the policy that BullMQ expects.
 */
const withoutWarning = (client: Redis): Redis => {
  type Info = (...args: unknown[]) => Promise<string>;
  const { info, duplicate } = client as unknown as { info: Info; duplicate: Redis['duplicate'] };
  const quietInfo: Info = (...args) => {
    const answer = info.apply(client, args);
    // Only ioredis calls it with arguments, for its own ready check.
    if (args.length > 0) return answer;
    return answer.then((text) => text.replace(/^maxmemory_policy:\S*/m, 'maxmemory_policy:noeviction'));
  };
  const quietDuplicate: Redis['duplicate'] = (override) => withoutWarning(duplicate.call(client, override));
  return Object.assign(client, { info: quietInfo, duplicate: quietDuplicate });
};

const connect = async (url: string, options: RedisOptions, logger: Logger): Promise<Redis> => {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    keepAlive: 10_000,
    retryStrategy: (times) => Math.min(100 * 2 ** Math.min(times, 6), 3_000),
    ...options,
  });
  client.on('error', (err) => logger.debug({ err }, 'Redis'));
  try {
    // connect() alone retries for ever; the person needs the first failure.
    await Promise.race([
      client.connect(),
      once(client, 'error').then(([error]) => {
        throw error;
      }),
    ]);
    return client;
  } catch (error) {
    client.disconnect();
    throw error;
  }
};

const assertUsable = async (client: Redis, place: string, logger: Logger): Promise<void> => {
  const info = await client.info();
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? '0';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])) {
    throw new UserError(
      'queue_unsupported',
      `Redis at ${place} is version ${version}; Cartwright needs ${oldestVersion.join('.')} or later. Upgrade it, or unset REDIS_URL: the queue then uses Postgres.`,
    );
  }
  const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? 'noeviction';
  if (policy !== 'noeviction') {
    logger.warn(
      { reason: policy },
      `Redis at ${place} may evict jobs when its memory is full (the sweep enqueues them again): set maxmemory-policy to noeviction`,
    );
  }
};

/**
 * Connects to Redis, twice: for enqueuing and for working.
 * @throws UserError `queue_down` when Redis does not answer, `queue_unsupported` when it is too old
 */
export const connectRedis = async (url: string, logger: Logger): Promise<RedisConnections> => {
  const place = URL.canParse(url) ? new URL(url).host : 'the configured address';
  const opened: Redis[] = [];
  const disconnect = () => {
    for (const client of opened) client.disconnect();
  };
  try {
    const failFast = { maxRetriesPerRequest: 1, commandTimeout: commandTimeoutMs, enableOfflineQueue: false };
    const producer = await connect(url, failFast, logger);
    opened.push(producer);
    await assertUsable(producer, place, logger);
    const consumer = await connect(url, { maxRetriesPerRequest: null }, logger);
    opened.push(consumer);
    return { producer: withoutWarning(producer), consumer: withoutWarning(consumer), disconnect };
  } catch (cause) {
    disconnect();
    if (cause instanceof UserError) throw cause;
    const why = cause instanceof AggregateError ? messageOf(cause.errors[0]) : messageOf(cause);
    throw new UserError(
      'queue_down',
      `Redis at ${place} cannot be used: ${plainCause(why)}. Start it, or fix REDIS_URL (unset it to use Postgres).`,
      { cause },
    );
  }
};
