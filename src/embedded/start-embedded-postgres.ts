import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../errors.ts';
import type { OwnerLock } from '../ledger/owner-lock.ts';
import { startServerHeartbeat } from '../ledger/server-heartbeat.ts';
import type { Logger } from '../logger.ts';
import { guardHost, readHost, stopClaimed, takeoverMs } from './claim-host.ts';
import { findHost } from './find-host.ts';
import { initialise } from './initialise.ts';
import { type JoinOptions, joinServer, urlOf } from './join-server.ts';
import { findPlace } from './place.ts';
import { quitPostmaster, readPostmasterFile, stopPostmaster } from './postmaster.ts';

const rejoinPauseMs = 2_000;
/** Another host has the database: that seldom changes soon. */
const takenPauseMs = 30_000;

export interface EmbeddedPostgres {
  /** Address with user and password (never to be logged), the same until `stop`. */
  url: string;
  /** Gives up this process's share; the last owner of all processes stops the server. Idempotent. */
  stop(): Promise<void>;
}

/**
 * A real Postgres whose files stand in the data folder: made at the first call, started if it does not
 * run, shared with every other process that calls this for the same folder. Recovers from kill -9 of
 * an owner (its share goes with it) and of the server: the next caller starts it again, and so does an
 * owner that still runs, at the same port. One host runs it at a time: another one is refused while the server lives,
 * and waits for a minute of silence before it takes over from a host that crashed.
 *
 * @param options.durable false gives up safety against power loss for speed: for tests
 * @param options.takeoverMs how long the server of a crashed host must be silent: shorter in tests
 * @param options.tell is called with a sentence for people while this waits for another host; default: the log
 * @throws UserError `embedded_…`, each with a sentence that says what to do
 */
export const startEmbeddedPostgres = async (options: {
  dataFolder: string;
  logger: Logger;
  durable?: boolean;
  takeoverMs?: number;
  tell?: (sentence: string) => void;
}): Promise<EmbeddedPostgres> => {
  const { dataFolder, logger, durable = true } = options;
  const place = await findPlace(dataFolder);
  const { password } = await initialise(place, { durable, logger });
  const host = await findHost();
  const join: JoinOptions = {
    place,
    host,
    password,
    durable,
    logger,
    takeoverMs: options.takeoverMs ?? takeoverMs,
    tell: options.tell ?? ((sentence) => logger.warn({}, sentence)),
  };
  const joined = await joinServer(join);
  const { port } = joined;
  let lock = joined.lock;
  let stopping: Promise<void> | undefined;
  let rejoining: Promise<void> = Promise.resolve();
  const isCancelled = () => stopping !== undefined;
  let leaveServer = async (): Promise<void> => {};

  /** The server shows other hosts that it lives, and this process ends it where another host has taken it over. */
  const attend = async (): Promise<void> => {
    const heartbeat = await startServerHeartbeat(urlOf(port, password)).catch((err: unknown) => {
      logger.debug({ err }, 'The built-in database ended before its heartbeat began');
    });
    const pid = (await readPostmasterFile(place))?.pid;
    // Reached on loopback, but started where process numbers are others: whoever started it guards it.
    const isOurs = pid !== undefined && (await readHost(place))?.id === host.id;
    const guard =
      isOurs &&
      guardHost(place, host, port, () => {
        logger.error({ path: place.home }, 'Another host has taken over the built-in database; it ends here');
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
            'The built-in database moved to another port: restart Cartwright',
          );
        return;
      } catch (err) {
        if (isCancelled()) return;
        logger.error({ err }, 'The built-in database does not come back; trying again');
        const isTaken = err instanceof UserError && err.code === 'embedded_other_host';
        const pauseMs = isTaken ? takenPauseMs : rejoinPauseMs;
        for (let waitedMs = 0; waitedMs < pauseMs && !isCancelled(); waitedMs += 100) await sleep(100);
      }
    }
  };
  const watch = (watched: OwnerLock): void => {
    void watched.lost.then(async (err) => {
      if (isCancelled()) return;
      logger.warn({ err }, 'The built-in database went away; starting it again');
      await watched.end();
      await leaveServer();
      rejoining = rejoin();
    });
  };
  await attend();
  watch(lock);
  logger.debug({ port, path: place.home }, 'Built-in database ready');

  const stop = async (): Promise<void> => {
    await rejoining;
    await leaveServer();
    const { last } = await lock.leave();
    if (last) {
      await stopClaimed(place, host, async () => {
        const { exitCode, output } = await stopPostmaster(place);
        if (exitCode === 0) logger.debug({ port }, 'Built-in database stopped');
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
