import type { FastifyHelmetOptions } from '@fastify/helmet';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type pg from 'pg';
import type { Config, ConsoleSettings } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import type { ConsoleWork } from './console-work.ts';
import type { Needs, Person } from './person.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The rights that the route needs; the console does not start if a route declares none. */
    needs?: Needs;
    /** Pages of this route send changes without the header `x-cartwright`; Origin or Sec-Fetch-Site is enough. */
    acceptsOrigin?: boolean;
    /** Accepts any Host, because it returns no data and a probe knows only the address. */
    anyHost?: boolean;
    /** Needs no rights if only this machine reaches the console and no proxy forwards requests. */
    openOnLoopback?: boolean;
    /** Changes nothing although its method is not GET: a query too large for an address. */
    onlyReads?: boolean;
    /** Security headers that differ from the console's own. */
    helmet?: FastifyHelmetOptions;
  }
  interface FastifyRequest {
    /** Undefined only in routes that need no rights. */
    person: Person | undefined;
    /** Its handler was called, so it may have changed something. */
    begun: boolean;
  }
}

/** The Fastify app whose schemas are zod's. */
export type ConsoleApp = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** The health of the process, for probes and Prometheus. */
export interface ConsoleHealth {
  readiness(): Promise<{ ready: boolean }>;
  metrics(): Promise<{ contentType: string; text: string }>;
}

/** What the console's routes use. */
export interface ConsoleDeps {
  pool: pg.Pool;
  /** Version of the package. */
  version: string;
  config: Config;
  /** The effective configuration, without secrets. */
  describeSettings(): { name: string; value: string | null }[];
  /** `config.console`; others in tests. */
  settings: ConsoleSettings;
  logger: Logger;
  health: ConsoleHealth;
  work: ConsoleWork;
  /** Adds the queues page at a path to an app that controls access to it. */
  addQueueView(app: FastifyInstance, path: string): void;
  /** The folder of the built web app, dist/console. */
  webFolder: string;
}
