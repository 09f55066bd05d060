import { once } from 'node:events';
import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { messageOf, plainCause, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { tlsProblem } from '../tls-problem.ts';
import { type RedisAddress, readRedisAddress } from './redis-address.ts';

const oldestVersion = [6, 2] as const;
const connectTimeoutMs = 5_000;
const commandTimeoutMs = 5_000;

export type RedisClient = Redis | Cluster;

export interface RedisConnections {
  /** For enqueuing: answers or fails within seconds, so that no job waits for an unreachable Redis. */
  producer: RedisClient;
  /** For workers: waits for as long as Redis is unreachable. */
  consumer: RedisClient;
  /** The addresses, for messages. */
  place: string;
  /** A cluster keeps the keys of one script together only if their names share a part in braces. */
  isCluster: boolean;
  /** The policy by which Redis may evict jobs; undefined if it evicts none or does not say. */
  evicts(): Promise<string | undefined>;
  disconnect(): void;
}

/**
 * BullMQ writes a warning about the eviction policy to the console for each connection; we log one line instead. So its
 * connections always report the policy that BullMQ expects.
 */
const withoutWarning = <T extends RedisClient>(client: T): T => {
  type Info = (...args: unknown[]) => Promise<string>;
  type Duplicate = (...args: unknown[]) => T;
  const { info, duplicate } = client as unknown as { info: Info; duplicate: Duplicate };
  const quietInfo: Info = (...args) => {
    const answer = info.apply(client, args);
    // Only ioredis calls it with arguments, for its own ready check.
    if (args.length > 0) return answer;
    return answer.then((text) => text.replace(/^maxmemory_policy:\S*/m, 'maxmemory_policy:noeviction'));
  };
  const quietDuplicate: Duplicate = (...args) => withoutWarning(duplicate.apply(client, args));
  return Object.assign(client, { info: quietInfo, duplicate: quietDuplicate });
};

/** The error of one node, which helps a person more than ioredis's error about all nodes. */
const lastError = (error: unknown): unknown => (error as { lastNodeError?: unknown }).lastNodeError ?? error;

const retryStrategy = (times: number): number => Math.min(100 * 2 ** Math.min(times, 6), 3_000);

const createClient = (address: RedisAddress, options: RedisOptions): RedisClient => {
  const { kind, nodes, name, login, sentinelLogin } = address;
  const { enableOfflineQueue = true, ...rest } = options;
  const common = {
    ...login,
    connectTimeout: connectTimeoutMs,
    keepAlive: 10_000,
    // After a failover, a connection to the old primary reaches a replica: find the new primary, and send the command again.
    reconnectOnError: (error: Error) => (error.message.startsWith('READONLY') ? 2 : false),
    ...rest,
  } satisfies RedisOptions;
  if (kind === 'cluster') {
    return new Cluster(nodes, {
      lazyConnect: true,
      clusterRetryStrategy: retryStrategy,
      // Certificates name hosts: the nodes' names must not be replaced by their addresses.
      ...(login.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
      enableOfflineQueue,
      redisOptions: common,
    });
  }
  if (kind === 'sentinel') {
    const { username, password } = sentinelLogin;
    return new Redis({
      ...common,
      enableOfflineQueue,
      lazyConnect: true,
      retryStrategy,
      sentinels: nodes,
      name,
      sentinelRetryStrategy: retryStrategy,
      failoverDetector: true,
      ...(username === undefined ? {} : { sentinelUsername: username }),
      ...(password === undefined ? {} : { sentinelPassword: password }),
      ...(login.tls ? { enableTLSForSentinelMode: true, sentinelTLS: login.tls } : {}),
    });
  }
  return new Redis({ ...common, ...nodes[0], enableOfflineQueue, lazyConnect: true, retryStrategy });
};

const connect = async (
  address: RedisAddress,
  options: RedisOptions,
  logger: Logger,
): Promise<RedisClient> => {
  const client = createClient(address, options);
  client.on('error', (err) => logger.debug({ err }, 'Redis'));
  try {
    // connect() alone retries for ever, but the person needs to see the first failure.
    await Promise.race([
      client.connect(),
      once(client, 'error').then(([error]) => {
        throw error;
      }),
    ]);
    return client;
  } catch (error) {
    client.disconnect();
    throw lastError(error);
  }
};

const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];

const unsupported = (message: string): UserError => new UserError('queue_unsupported', message);

const assertUsable = (info: string, { kind, place }: RedisAddress): void => {
  const version = fieldOf(info, 'redis_version') ?? '0';
  if (fieldOf(info, 'redis_mode') === 'sentinel') {
    throw unsupported(
      `${place} is a Redis Sentinel, not a Redis. Write REDIS_URL as redis+sentinel://${place}/NAME, with the name by which Sentinel knows the server.`,
    );
  }
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1])) {
    throw unsupported(
      `Redis at ${place} is version ${version}; Cartwright needs ${oldestVersion.join('.')} or later. Upgrade it, or unset REDIS_URL: the queue then uses Postgres.`,
    );
  }
  if (kind === 'server' && fieldOf(info, 'role') === 'slave') {
    throw unsupported(`Redis at ${place} is a read-only replica. Set REDIS_URL to the primary.`);
  }
};

const explain = (error: unknown): string => {
  const message = messageOf(error);
  const tls = tlsProblem(error, {
    authority: 'ca=/path/ca.pem',
    scheme: 'rediss:// (with TLS) or redis:// (without) in REDIS_URL',
  });
  if (tls) return `${tls}.`;
  if (/WRONGPASS|NOAUTH|invalid (?:username-)?password|without any password/i.test(message)) {
    return 'it refuses user or password. Fix them in REDIS_URL (special characters percent-encoded).';
  }
  if (/NOPERM/.test(message)) {
    return `its user may not do what the queue needs (${message}). Give it the rights in docs/engines.md.`;
  }
  if (/All sentinels are unreachable/.test(message)) {
    return `${plainCause(message)}. Check hosts, name and login of the Sentinels in REDIS_URL.`;
  }
  return `${plainCause(message)}. Start it, or fix REDIS_URL (unset it to use Postgres).`;
};

/**
 * Connects to Redis, twice: for enqueuing and for working. A server that belongs to a cluster is used as a cluster.
 * @throws UserError `queue_down` when Redis does not answer, `queue_unsupported` when it cannot be used, `queue_address`
 */
export const connectRedis = async (url: string, logger: Logger): Promise<RedisConnections> => {
  let address = readRedisAddress(url);
  const opened: RedisClient[] = [];
  const disconnect = () => {
    for (const client of opened) client.disconnect();
  };
  const open = async (options: RedisOptions) => {
    const client = await connect(address, options, logger);
    opened.push(client);
    return client;
  };
  try {
    const failFast = { maxRetriesPerRequest: 1, commandTimeout: commandTimeoutMs, enableOfflineQueue: false };
    let producer = await open(failFast);
    const info = await producer.info();
    if (address.kind === 'server' && fieldOf(info, 'redis_mode') === 'cluster') {
      address = { ...address, kind: 'cluster' };
      producer = await open(failFast);
    }
    assertUsable(info, address);
    const ask = producer.info.bind(producer);
    const consumer = await open({ maxRetriesPerRequest: null });
    return {
      producer: withoutWarning(producer),
      consumer: withoutWarning(consumer),
      place: address.place,
      isCluster: address.kind === 'cluster',
      async evicts() {
        const policy = fieldOf(await ask(), 'maxmemory_policy') ?? 'noeviction';
        return policy === 'noeviction' ? undefined : policy;
      },
      disconnect,
    };
  } catch (cause) {
    disconnect();
    if (cause instanceof UserError) throw cause;
    const first = cause instanceof AggregateError ? cause.errors[0] : cause;
    throw new UserError('queue_down', `Redis at ${address.place} cannot be used: ${explain(first)}`, {
      cause,
    });
  }
};
