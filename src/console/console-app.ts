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
    /** What the route needs; the console does not start if a route has none. */
    needs?: Needs;
    /** The pages of this route change things without the header `x-cartwright`; Origin or Sec-Fetch-Site is enough. */
    acceptsOrigin?: boolean;
    /** It may be asked under any name, because it has no data: a probe knows only the address. */
    anyHost?: boolean;
    /** It needs nothing where only this machine reaches the console, and no proxy passes requests on. */
    openOnLoopback?: boolean;
    /** It changes nothing although its method is not GET: a question that does not fit into an address. */
    onlyReads?: boolean;
    /** Headers of security other than the console's own. */
    helmet?: FastifyHelmetOptions;
  }
  interface FastifyRequest {
    /** Undefined only in routes that need nothing. */
    person: Person | undefined;
    /** Its handler was called, so that it may have changed something. */
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
  /** `config.console`, or others in tests. */
  settings: ConsoleSettings;
  logger: Logger;
  health: ConsoleHealth;
  work: ConsoleWork;
  /** Adds the queues page at a path, to an app that decides who may open it. */
  addQueueView(app: FastifyInstance, path: string): void;
  /** The folder of the built web app, dist/console. */
  webFolder: string;
}
