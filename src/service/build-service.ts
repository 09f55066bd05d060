import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { openCatalogue } from './catalogue.ts';
import { createClock, type ServiceClock } from './clock.ts';
import type { ServiceConfig } from './config.ts';
import { createApp } from './create-app.ts';
import { createFaults, type Faults } from './faults.ts';
import { createFaultGiver } from './give-fault.ts';
import { isLoopback } from './loopback.ts';
import { migrate } from './migrate.ts';
import type { CallDeps } from './serve-call.ts';

/** A dealer order service that is built and does not listen yet. */
export interface Service {
  app: FastifyInstance;
  config: ServiceConfig;
  clock: ServiceClock;
  faults: Faults;
  /** The pool that the service works on; its own where it was given a URL. */
  pool: pg.Pool;
  /** Lets calls end that are being served, cuts off who hangs, ends its own pool. Idempotent. */
  stop(): Promise<void>;
}

export interface ServiceDeps {
  config: ServiceConfig;
  logger: Logger;
  /** A pool of the caller's, which stays open. One of `pool` and `databaseUrl` is needed. */
  pool?: pg.Pool;
  databaseUrl?: string;
}

/**
 * Builds the dealer order service of the spec: brings its schema up to date, reads the catalogue, sets the
 * speed of the clock, registers everything. Nothing that matters is kept in the process: any number of them
 * can work on one database, and one that is killed loses nothing that was answered.
 * Throws CannotStart where the catalogue cannot be used, and pg's errors where the database cannot.
 */
export const buildService = async (deps: ServiceDeps): Promise<Service> => {
  const { config, logger } = deps;
  const catalogue = await openCatalogue(config.catalogue);
  const pool = deps.pool ?? ownPool(deps.databaseUrl, config.poolSize, logger);
  const clock = createClock(pool);
  try {
    await migrate(pool);
    await clock.setSpeed(config.clockSpeed);
  } catch (thrown) {
    if (pool !== deps.pool) await pool.end();
    throw thrown;
  }
  const faults = createFaults(
    config.faults,
    isLoopback(config.host) ? undefined : `the service listens on ${config.host}, outside loopback`,
  );
  const faultGiver = createFaultGiver(config.envelope, (thrown) =>
    logger.error({ err: thrown }, 'A call that a fault mode had put off failed'),
  );
  const callDeps: CallDeps = { pool, config, catalogue, faults, faultGiver };
  const app = await createApp({ ...callDeps, clock, logger });

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await faultGiver.stop();
    await app.close();
    if (pool !== deps.pool) await pool.end();
  };
  return {
    app,
    config,
    clock,
    faults,
    pool,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};

const ownPool = (databaseUrl: string | undefined, max: number, logger: Logger): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    application_name: 'dealer-order-service',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    keepAlive: true,
  });
  // An idle connection that breaks is replaced by the next call; without a listener it would end the process.
  pool.on('error', (thrown) => logger.warn({ err: thrown }, 'A connection to the database broke'));
  // The same for one that breaks in a caller's hands: the next query fails and is answered.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};
