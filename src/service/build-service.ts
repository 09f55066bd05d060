import type { Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Logger } from '../logger.ts';
import { CannotStart } from './cannot-start.ts';
import { type ExpectedPrice, openCatalogue } from './catalogue.ts';
import { createClock, type ServiceClock } from './clock.ts';
import type { ServiceConfig } from './config.ts';
import { type Control, createControl } from './control/control.ts';
import { createGate } from './control/gate.ts';
import { createJournal } from './control/journal.ts';
import { createApp } from './create-app.ts';
import { createFaults, type Faults } from './faults.ts';
import { createFaultInjector } from './inject-fault.ts';
import { isLoopback } from './loopback.ts';
import { migrate } from './migrate.ts';
import { RefusedRequest } from './read-body.ts';
import type { CallDeps } from './serve-call.ts';
import { followUnused } from './unused-connections.ts';

/** A dealer order service that does not listen yet. */
export interface Service {
  app: FastifyInstance;
  config: ServiceConfig;
  clock: ServiceClock;
  faults: Faults;
  control: Control;
  /** The caller's pool, or the service's own if it was given a URL. */
  pool: pg.Pool;
  /** Finishes running calls, cuts connections held open by faults, and ends the service's own pool. Idempotent. */
  stop(): Promise<void>;
}

export interface ServiceDeps {
  config: ServiceConfig;
  logger: Logger;
  /** The caller's pool, which `stop` leaves open. Either `pool` or `databaseUrl` is required. */
  pool?: pg.Pool;
  databaseUrl?: string;
  /** Of items that the catalogue makes up; default: it makes up their prices, too. */
  expectedPrice?: ExpectedPrice;
}

/**
 * Builds the dealer order service: reads the catalogue, migrates the schema, sets the clock's speed, creates the seeds and
 * registers the endpoints. All state is in the database, so any number of processes can share one, and a killed process loses
 * nothing that it has answered.
 * @throws CannotStart if the catalogue or a seed is unusable; pg's errors if the database is
 */
export const buildService = async (deps: ServiceDeps): Promise<Service> => {
  const { config, logger } = deps;
  const catalogue = await openCatalogue(config);
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
    isLoopback(config.host) || config.adminToken !== ''
      ? undefined
      : `the service listens on ${config.host}, which is not a loopback address, and has no admin token`,
  );
  const gate = createGate();
  const faultInjector = createFaultInjector(config.envelope, gate, (thrown) =>
    logger.error({ err: thrown }, 'A call delayed by a fault rule failed'),
  );
  const { expectedPrice } = deps;
  const callDeps: CallDeps = { pool, config, catalogue, expectedPrice, faults, faultInjector, gate };
  const journal = createJournal();
  const control = createControl(callDeps, { clock, journal });
  try {
    await control.seedAtStart();
  } catch (thrown) {
    if (pool !== deps.pool) await pool.end();
    if (!(thrown instanceof RefusedRequest)) throw thrown;
    const why = [
      thrown.message,
      ...(thrown.errors ?? []).map(({ field, message }) => `${field}: ${message}`),
    ];
    throw new CannotStart('seed_refused', `The setting seed cannot be applied. ${why.join(' ')}`);
  }
  const app = await createApp({ ...callDeps, control, journal, logger });

  const cutUnused = followUnused(app.server as Server);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    await faultInjector.stop();
    // The server may accept further connections until it is closed.
    const cutting = setInterval(cutUnused, 20);
    await app.close();
    clearInterval(cutting);
    if (pool !== deps.pool) await pool.end();
  };
  return {
    app,
    config,
    clock,
    faults,
    control,
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
  // The next call replaces a broken idle connection; without a listener the error would end the process.
  pool.on('error', (thrown) => logger.warn({ err: thrown }, 'Lost an idle connection to the database'));
  // The same for a connection in use: its next query fails, and the client gets an answer about that.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};
