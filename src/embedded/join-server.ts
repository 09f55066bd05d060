import { realpath } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import { type OwnerAnswer, type OwnerLock, takeOwnership } from '../ledger/owner-lock.ts';
import { heartbeatMs } from '../ledger/server-heartbeat.ts';
import type { Logger } from '../logger.ts';
import { claimHost } from './claim-host.ts';
import type { Host } from './find-host.ts';
import { clusterOf, databaseName, databaseUser } from './initialise.ts';
import type { Place } from './place.ts';
import { findServerPort, readPostmasterFile, removeStaleFile, spawnPostmaster } from './postmaster.ts';

const tries = { failures: 3, blockedMs: 60_000, recoveringMs: 600_000, pauseMs: 50, noticeMs: 15_000 };

export const urlOf = (port: number, password: string): string =>
  `postgresql://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;

/** Why Postgres ended at once, read from its first words (English: it runs with LC_ALL=C). */
const readEnd = (words: string): 'cluster taken' | 'port taken' | 'failed' => {
  if (/postmaster\.pid" already exists|shared memory block/.test(words)) return 'cluster taken';
  if (/could not (bind|create any TCP)/.test(words)) return 'port taken';
  return 'failed';
};

export interface JoinOptions {
  place: Place;
  host: Host;
  password: string;
  durable: boolean;
  logger: Logger;
  /** How long another host's server must show no sign of life before it is taken over. */
  takeoverMs: number;
  /** Called with a sentence for people when the start has to wait for another host. */
  tell: (sentence: string) => void;
  /** Insist on this port: others hold connections to it. */
  port?: number;
  isCancelled?: () => boolean;
}

/**
 * Becomes an owner of the place's server, and starts the server if none runs. Any number of processes
 * may do so at once: Postgres lets one server live on a cluster, and all others find that one. A server that can be
 * reached is joined, whichever host runs it; one is started only with the host's claim.
 *
 * @throws UserError `embedded_not_started` when Postgres ends by itself, `embedded_in_use` when remains of
 *   a killed server do not go, `embedded_slow` when recovery takes longer than ten minutes, `embedded_other_host`
 */
export const joinServer = async (options: JoinOptions): Promise<{ lock: OwnerLock; port: number }> => {
  const { place, logger } = options;
  const beganAt = Date.now();
  let noticedAt = beganAt;
  let failures = 0;
  let port = options.port;
  /** Another program has the port of the last server. */
  let isTaken = false;

  const ask = (at: number): Promise<OwnerAnswer> =>
    takeOwnership(
      urlOf(at, options.password),
      async (folder) => (await realpath(folder).catch(() => folder)) === (await realpath(clusterOf(place))),
    );
  const check = (
    reason: string,
    limitMs: number,
    code: 'embedded_in_use' | 'embedded_slow',
    advice: string,
  ) => {
    const waitedMs = Date.now() - beganAt;
    if (options.isCancelled?.()) throw new UserError('embedded_cancelled', 'The start was called off.');
    if (waitedMs > limitMs) {
      throw new UserError(
        code,
        `The built-in database in ${place.home} does not start: ${reason}. ${advice}`,
      );
    }
    if (Date.now() - noticedAt > tries.noticeMs) {
      noticedAt = Date.now();
      logger.info({ reason, waitMs: waitedMs }, 'Waiting for the built-in database');
    }
  };
  const checkRecovery = (reason: string) =>
    check(reason, tries.recoveringMs, 'embedded_slow', `Its log in ${place.home}/log says what it is doing.`);

  for (;;) {
    const file = await readPostmasterFile(place);
    if (file?.port) {
      const answer = await ask(file.port);
      if (answer.kind === 'owner') return { lock: answer.lock, port: file.port };
      if (answer.kind === 'not_ready') {
        checkRecovery(answer.reason);
        await sleep(tries.pauseMs);
        continue;
      }
      // The port of a killed server: taken again where free, since others may wait for it there.
      if (answer.kind === 'nobody') port ??= file.port;
    }

    const claim = await claimHost({
      ...options,
      isCancelled: () => options.isCancelled?.() === true,
    });
    const chosen = port ?? (isTaken ? undefined : claim.lastPort) ?? (await findServerPort());
    if (!(await claim.choosePort(chosen))) continue;
    const postmaster = await spawnPostmaster(place, { port: chosen, durable: options.durable });
    let words: string | undefined;
    void postmaster.ended.then((said) => {
      words = said;
    });
    let shownAt = performance.now();
    try {
      while (words === undefined) {
        if (performance.now() - shownAt >= heartbeatMs) {
          shownAt = performance.now();
          // Another host took the claim: the next round says so.
          if (!(await claim.beat())) postmaster.quit();
        }
        const answer = await ask(chosen);
        if (answer.kind === 'owner') return { lock: answer.lock, port: chosen };
        if (answer.kind === 'not_ready') checkRecovery(answer.reason);
        else
          check(
            'it does not listen',
            tries.recoveringMs,
            'embedded_slow',
            `See its log in ${place.home}/log.`,
          );
        await sleep(tries.pauseMs);
      }
    } finally {
      postmaster.release();
    }

    const end = readEnd(words);
    logger.debug({ reason: words }, 'Postgres ended at once');
    if (end === 'failed' && ++failures >= tries.failures) {
      throw new UserError(
        'embedded_not_started',
        `The built-in database in ${place.home} does not start. Postgres says: ${words || 'nothing'}`,
      );
    }
    if (end === 'port taken') {
      port = options.port;
      isTaken = true;
    }
    if (end === 'cluster taken' && file && (await removeStaleFile(place, file))) {
      logger.warn({ path: place.home }, 'The last database server was killed; its mark was removed');
    }
    check(
      words,
      tries.blockedMs,
      'embedded_in_use',
      'End the remaining postgres processes of an earlier run, or restart the machine.',
    );
    await sleep(tries.pauseMs);
  }
};
