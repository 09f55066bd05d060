import { setTimeout as sleep } from 'node:timers/promises';
import type { OwnerLock } from '../ledger/owner-lock.ts';
import type { Logger } from '../logger.ts';
import { initialise } from './initialise.ts';
import { type JoinOptions, joinServer, urlOf } from './join-server.ts';
import { findPlace } from './place.ts';
import { stopPostmaster } from './postmaster.ts';

const rejoinPauseMs = 2_000;

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
 * owner that still runs, at the same port.
 *
 * @param options.durable false gives up safety against power loss for speed: for tests
 * @throws UserError `embedded_…`, each with a sentence that says what to do
 */
export const startEmbeddedPostgres = async (options: {
  dataFolder: string;
  logger: Logger;
  durable?: boolean;
}): Promise<EmbeddedPostgres> => {
  const { dataFolder, logger, durable = true } = options;
  const place = await findPlace(dataFolder);
  const { password } = await initialise(place, { durable, logger });
  const join: JoinOptions = { place, password, durable, logger };
  const joined = await joinServer(join);
  const { port } = joined;
  let lock = joined.lock;
  let stopping: Promise<void> | undefined;
  let rejoining: Promise<void> = Promise.resolve();
  const isCancelled = () => stopping !== undefined;

  const rejoin = async (): Promise<void> => {
    while (!isCancelled()) {
      try {
        const again = await joinServer({ ...join, port, isCancelled });
        lock = again.lock;
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
        await sleep(rejoinPauseMs);
      }
    }
  };
  const watch = (watched: OwnerLock): void => {
    void watched.lost.then(async (err) => {
      if (isCancelled()) return;
      logger.warn({ err }, 'The built-in database went away; starting it again');
      await watched.end();
      rejoining = rejoin();
    });
  };
  watch(lock);
  logger.debug({ port, path: place.home }, 'Built-in database ready');

  const stop = async (): Promise<void> => {
    await rejoining;
    const { last } = await lock.leave();
    if (last) {
      const { exitCode, output } = await stopPostmaster(place);
      if (exitCode === 0) logger.debug({ port }, 'Built-in database stopped');
      else logger.warn({ reason: output }, 'The built-in database did not stop in time');
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
