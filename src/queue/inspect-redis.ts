import type { Logger } from '../logger.ts';
import { connectRedis } from './connect-redis.ts';

/** Facts about Redis for a person who sets Cartwright up. */
export interface RedisFacts {
  /** The addresses without user and password. */
  place: string;
  version: string;
  tls: boolean;
  /** The policy with which it may evict jobs; undefined if it evicts none or does not say. */
  evicts: string | undefined;
  /** Its persistence on disk. */
  persistence: 'append-only file' | 'snapshots' | 'nothing' | 'unknown';
  /** The last snapshot or rewrite of the file failed. */
  savingFails: boolean;
  usedBytes: number;
  /** 0: without a limit. */
  maxBytes: number;
}

/**
 * Changes nothing.
 * @throws UserError `queue_down`, `queue_unsupported`, `queue_address`
 */
export const inspectRedis = async (url: string, logger: Logger): Promise<RedisFacts> => {
  const { producer, place, evicts, disconnect } = await connectRedis(url, logger);
  try {
    const info = (
      await Promise.all(['server', 'persistence', 'memory'].map((section) => producer.info(section)))
    ).join('\n');
    const field = (name: string) => new RegExp(`^${name}:(\\S*)`, 'm').exec(info)?.[1];
    const save = await producer.config('GET', 'save').then(
      (answer) => (answer as string[])[1] ?? '',
      () => undefined,
    );
    return {
      place,
      version: field('redis_version') ?? 'unknown',
      tls: url.startsWith('rediss'),
      evicts: await evicts(),
      persistence:
        field('aof_enabled') === '1'
          ? 'append-only file'
          : save === undefined
            ? 'unknown'
            : save === ''
              ? 'nothing'
              : 'snapshots',
      savingFails:
        field('rdb_last_bgsave_status') === 'err' ||
        field('aof_last_write_status') === 'err' ||
        field('aof_last_bgrewrite_status') === 'err',
      usedBytes: Number(field('used_memory') ?? 0),
      maxBytes: Number(field('maxmemory') ?? 0),
    };
  } finally {
    disconnect();
  }
};
