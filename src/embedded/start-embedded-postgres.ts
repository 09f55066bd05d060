import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { guardHost, readHost, stopClaimed, takeoverMs } from './claim-host.ts';
import { findHost } from './find-host.ts';
import { initialiseCluster } from './initialise-cluster.ts';
import { type JoinOptions, joinServer, urlOf } from './join-server.ts';
import type { OwnerLock } from './owner-lock.ts';
import { quitPostmaster, readPidFile, stopPostmaster } from './postmaster.ts';
import { startServerHeartbeat } from './server-heartbeat.ts';
import { findServerLocation } from './server-location.ts';

const rejoinPauseMs = 2_000;
/** A longer wait while another host has the database, because that rarely changes soon. */
const takenPauseMs = 30_000;

export interface EmbeddedPostgres {
  /** Address with user and password (never log it); constant until `stop`. */
  url: string;
  /** Gives up this process's ownership; the last of all owners stops the server. Idempotent. */
  stop(): Promise<void>;
}

/**
 * A real Postgres with its files in the data folder: created at the first call, started if it is not running, and
 * shared with every process that calls this for the same folder. After a kill -9 of an owner its ownership is released;
 * after a kill -9 of the server, the next caller or a remaining owner restarts it at the same port. Only one host runs
 * it at a time: another host is refused while the server runs, and waits for a minute without activity before it takes
 * over from a crashed host.
 *
 * @param options.durable false gives up safety against power loss for speed: for tests
 * @param options.takeoverMs how long a crashed host's server must show no activity: shorter in tests
 * @param options.onWaiting is called with a message for the user while this waits for another host; default: the log
 * @throws UserError `embedded_…`, each with advice
 */
export const startEmbeddedPostgres = async (options: {
  dataFolder: string;
  logger: Logger;
  durable?: boolean;
  takeoverMs?: number;
  onWaiting?: (message: string) => void;
}): Promise<EmbeddedPostgres> => {
  const { dataFolder, logger, durable = true } = options;
  const location = await findServerLocation(dataFolder);
  const { password } = await initialiseCluster(location, { durable, logger });
  const host = await findHost();
  const join: JoinOptions = {
    location,
    host,
    password,
    durable,
    logger,
    takeoverMs: options.takeoverMs ?? takeoverMs,
    onWaiting: options.onWaiting ?? ((message) => logger.warn({}, message)),
  };
  const joined = await joinServer(join);
  const { port } = joined;
  let lock = joined.lock;
  let stopping: Promise<void> | undefined;
  let rejoining: Promise<void> = Promise.resolve();
  const isCancelled = () => stopping !== undefined;
  let leaveServer = async (): Promise<void> => {};

  /** Starts the server's heartbeat for other hosts, and ends the server if another host takes it over. */
  const attend = async (): Promise<void> => {
    const heartbeat = await startServerHeartbeat(urlOf(port, password)).catch((err: unknown) => {
      logger.debug({ err }, 'The built-in database stopped before its heartbeat started');
    });
    const pid = (await readPidFile(location))?.pid;
    // A server on loopback can belong to another host with its own process ids, which guards it itself.
    const isOurs = pid !== undefined && (await readHost(location))?.id === host.id;
    const guard =
      isOurs &&
      guardHost(location, host, () => {
        logger.error(
          { path: location.home },
          'Another host has taken over the built-in database; stopping it here',
        );
        void quitPostmaster(pid);
      });
    leaveServer = async () => {
      heartbeat?.detach();
      if (guard) await guard.stop();
    };
  };

  const rejoin = async (): Promise<void> => {
    while (!isCancelled()) {
      try {
        const again = await joinServer({ ...join, port, isCancelled });
        lock = again.lock;
        await attend();
        watch(lock);
        if (again.port === port) logger.info({ port }, 'The built-in database is back');
        else
          logger.error(
            { port: again.port },
            'The built-in database is back on another port: restart Cartwright',
          );
        return;
      } catch (err) {
        if (isCancelled()) return;
        logger.error({ err }, 'Could not restart the built-in database; retrying');
        const isTaken = err instanceof UserError && err.code === 'embedded_other_host';
        const pauseMs = isTaken ? takenPauseMs : rejoinPauseMs;
        for (let waitedMs = 0; waitedMs < pauseMs && !isCancelled(); waitedMs += 100) await sleep(100);
      }
    }
  };
  const watch = (watched: OwnerLock): void => {
    void watched.lost.then(async (err) => {
      if (isCancelled()) return;
      logger.warn({ err }, 'The built-in database stopped unexpectedly; restarting it');
      await watched.end();
      await leaveServer();
      rejoining = rejoin();
    });
  };
  await attend();
  watch(lock);
  logger.debug({ port, path: location.home }, 'The built-in database is ready');

  const stop = async (): Promise<void> => {
    await rejoining;
    await leaveServer();
    const { last } = await lock.leave();
    if (last) {
      await stopClaimed(location, host, async () => {
        const { exitCode, output } = await stopPostmaster(location);
        if (exitCode === 0) logger.debug({ port }, 'The built-in database has stopped');
        else logger.warn({ reason: output }, 'The built-in database did not stop in time');
        return exitCode === 0;
      });
    }
    await lock.end();
  };
  return {
    url: urlOf(port, password),
    stop() {
      stopping ??= stop();
      return stopping;
    },
  };
};
