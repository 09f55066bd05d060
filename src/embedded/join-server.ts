import { realpath, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { claimHost } from './claim-host.ts';
import type { Host } from './find-host.ts';
import { findServerPort } from './free-port.ts';
import { clusterOf, databaseName, databaseUser } from './initialise-cluster.ts';
import { type OwnerAnswer, type OwnerLock, takeOwnership } from './owner-lock.ts';
import { readLastPort, readPidFile, removeStalePidFile, spawnPostmaster } from './postmaster.ts';
import { heartbeatMs } from './server-heartbeat.ts';
import type { ServerLocation } from './server-location.ts';

const tries = { failures: 3, blockedMs: 60_000, recoveringMs: 600_000, pauseMs: 50, noticeMs: 15_000 };

export const urlOf = (port: number, password: string): string =>
  `postgresql://${databaseUser}:${password}@127.0.0.1:${port}/${databaseName}`;

/** Why Postgres ended at once, from its output (English, because it runs with LC_ALL=C). */
const endReasonOf = (output: string): 'cluster taken' | 'port taken' | 'failed' => {
  if (/postmaster\.pid" already exists|shared memory block/.test(output)) return 'cluster taken';
  if (/could not (bind|create any TCP)/.test(output)) return 'port taken';
  return 'failed';
};

const leastFreeBytes = 1024 ** 2;

/** Postgres cannot write to its log either when the disk is full. */
const fullDiskSentence = async (folder: string): Promise<string> => {
  const disk = await statfs(folder).catch(() => undefined);
  return disk && disk.bavail * disk.bsize < leastFreeBytes ? 'Its disk is full: make room. ' : '';
};

export interface JoinOptions {
  location: ServerLocation;
  host: Host;
  password: string;
  durable: boolean;
  logger: Logger;
  /** How long another host's server must show no activity before this host takes over. */
  takeoverMs: number;
  /** Called with a message for the user while the start waits for another host. */
  onWaiting: (message: string) => void;
  /** Use this port only: other processes have its address. */
  port?: number;
  isCancelled?: () => boolean;
}

/**
 * Becomes an owner of the server, and starts the server if none runs. Any number of processes can do so at once:
 * Postgres allows one server on a cluster, and all processes join that one. Joins a reachable server no matter which
 * host runs it; starts a server only with this host's claim.
 *
 * @throws UserError `embedded_not_started` if Postgres exits, `embedded_in_use` if processes of a killed server
 *   remain, `embedded_slow` if recovery takes longer than ten minutes, `embedded_other_host`
 */
export const joinServer = async (options: JoinOptions): Promise<{ lock: OwnerLock; port: number }> => {
  const { location, logger } = options;
  const beganAt = Date.now();
  let noticedAt = beganAt;
  let failures = 0;
  /** Another program uses the port of the last server. */
  let isPortTaken = false;

  const ask = (at: number): Promise<OwnerAnswer> =>
    takeOwnership(
      urlOf(at, options.password),
      async (folder) =>
        (await realpath(folder).catch(() => folder)) === (await realpath(clusterOf(location))),
    );
  const check = (
    reason: string,
    limitMs: number,
    code: 'embedded_in_use' | 'embedded_slow',
    advice: string,
  ) => {
    const waitedMs = Date.now() - beganAt;
    if (options.isCancelled?.()) throw new UserError('embedded_cancelled', 'The start was cancelled.');
    if (waitedMs > limitMs) {
      throw new UserError(
        code,
        `The built-in database in ${location.home} does not start: ${reason}. ${advice}`,
      );
    }
    if (Date.now() - noticedAt > tries.noticeMs) {
      noticedAt = Date.now();
      logger.info({ reason, waitMs: waitedMs }, 'Waiting for the built-in database');
    }
  };
  const checkRecovery = (reason: string) =>
    check(reason, tries.recoveringMs, 'embedded_slow', `See its log in ${location.home}/log.`);

  for (;;) {
    const file = await readPidFile(location);
    if (file?.port) {
      const answer = await ask(file.port);
      if (answer.kind === 'owner') return { lock: answer.lock, port: file.port };
      if (answer.kind === 'not_ready') {
        checkRecovery(answer.reason);
        await sleep(tries.pauseMs);
        continue;
      }
    }

    const claim = await claimHost({
      ...options,
      isCancelled: () => options.isCancelled?.() === true,
    });
    const lastPort = isPortTaken ? undefined : await readLastPort(location);
    const port = options.port ?? lastPort ?? (await findServerPort());
    if (!(await claim.beat())) continue;
    const postmaster = await spawnPostmaster(location, { port, durable: options.durable });
    let output: string | undefined;
    void postmaster.ended.then((text) => {
      output = text;
    });
    let shownAt = performance.now();
    try {
      while (output === undefined) {
        if (performance.now() - shownAt >= heartbeatMs) {
          shownAt = performance.now();
          // Another host took the claim; the next round reports it.
          if (!(await claim.beat())) postmaster.quit();
        }
        const answer = await ask(port);
        if (answer.kind === 'owner') return { lock: answer.lock, port };
        if (answer.kind === 'not_ready') checkRecovery(answer.reason);
        else
          check(
            'it does not listen',
            tries.recoveringMs,
            'embedded_slow',
            `See its log in ${location.home}/log.`,
          );
        await sleep(tries.pauseMs);
      }
    } finally {
      postmaster.release();
    }

    const end = endReasonOf(output);
    logger.debug({ reason: output }, 'Postgres exited during its start');
    if (end === 'failed' && ++failures >= tries.failures) {
      throw new UserError(
        'embedded_not_started',
        `The built-in database in ${location.home} does not start. ${await fullDiskSentence(location.home)}Postgres reports: ${output || 'nothing'}`,
      );
    }
    if (end === 'port taken') isPortTaken = true;
    if (end === 'cluster taken' && file && (await removeStalePidFile(location, file))) {
      logger.warn({ path: location.home }, 'Removed the stale postmaster.pid of a killed database server');
    }
    check(
      output,
      tries.blockedMs,
      'embedded_in_use',
      'End the remaining postgres processes of an earlier run, or restart the machine.',
    );
    await sleep(tries.pauseMs);
  }
};
