import type { Config } from '../../config/config.ts';
import { UserError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { inspectRedis, type RedisFacts } from '../../queue/inspect-redis.ts';
import { showBytes } from '../../show-bytes.ts';
import { type Finding, fine, isThisMachine, note, problem } from './finding.ts';

const aboutPersistence = ({ persistence, savingFails }: RedisFacts): Finding => {
  const check = 'redis_persistence';
  if (savingFails) {
    return problem(
      check,
      'Its last attempt to save to disk failed.',
      'Look into the log of Redis; usually the disk is full or the folder is not writable.',
    );
  }
  if (persistence === 'append-only file') return fine(check, 'It keeps jobs on disk (appendonly yes).');
  if (persistence === 'unknown')
    return note(check, 'It does not say what it keeps on disk.', 'Make sure that appendonly is on.');
  return note(
    check,
    persistence === 'nothing'
      ? 'It keeps nothing on disk: a restart loses the jobs, which costs about 30 seconds and no orders.'
      : 'It keeps snapshots only: a crash loses the latest jobs, which costs about 30 seconds and no orders.',
    'Set appendonly yes.',
  );
};

/** The hosts of an address; Sentinel and clusters have several. */
const hostsOf = (url: string): string[] =>
  url
    .replace(/^[^/]*\/\//, '')
    .split(/[/?]/, 1)[0]!
    .replace(/^.*@/, '')
    .split(',')
    .map((host) => host.replace(/:\d+$/, ''));

const findingsOf = (url: string, facts: RedisFacts): Finding[] => {
  const { place, version, tls, evicts, usedBytes, maxBytes } = facts;
  return [
    fine('redis_version', `Redis ${version} at ${place}; it uses ${showBytes(usedBytes)}.`),
    tls || hostsOf(url).every(isThisMachine)
      ? fine('redis_tls', tls ? 'The connection is encrypted.' : 'It is on this machine, so it needs no TLS.')
      : problem(
          'redis_tls',
          'The connection is not encrypted, so its password can be read on the network.',
          'Write REDIS_URL with rediss:// and switch TLS on in Redis.',
        ),
    evicts === undefined
      ? fine('redis_eviction', 'It evicts no jobs (maxmemory-policy noeviction).')
      : problem(
          'redis_eviction',
          `It may evict jobs when its memory is full (maxmemory-policy ${evicts}). The sweep enqueues them again, up to a minute later.`,
          'Set maxmemory-policy to noeviction.',
        ),
    ...(maxBytes > 0 && usedBytes > maxBytes * 0.8
      ? [
          problem(
            'redis_memory',
            `It uses ${showBytes(usedBytes)} of ${showBytes(maxBytes)}.`,
            'Raise maxmemory, or remove what else is stored there.',
          ),
        ]
      : []),
    aboutPersistence(facts),
  ];
};

/** Checks Redis, if it holds the queue. */
export const checkQueue = async ({ redisUrl }: Config, logger: Logger): Promise<Finding[]> => {
  if (redisUrl === undefined)
    return [fine('queue', 'The queue is in the database, because REDIS_URL is not set.')];
  try {
    return findingsOf(redisUrl, await inspectRedis(redisUrl, logger));
  } catch (thrown) {
    if (!(thrown instanceof UserError)) throw thrown;
    return [problem(thrown.code, thrown.message)];
  }
};
