import { createRequire } from 'node:module';
import { pino } from 'pino';
import { isFromOutside, messageOf, plainCause } from './errors.ts';
import { once } from './once.ts';

/**
 * The fields of a log line; all others are dropped. More people read logs than the ledger, so customers' addresses,
 * credentials and request bodies must not get there by accident.
 */
export interface LogFields {
  account?: string;
  importId?: string;
  purchaseOrderId?: string;
  poNumber?: string;
  state?: string;
  epoch?: number;
  queue?: string;
  jobId?: string;
  file?: string;
  rowNumber?: number;
  method?: string;
  path?: string;
  status?: number;
  requestId?: string;
  dealer?: string;
  durationMs?: number;
  waitMs?: number;
  count?: number;
  port?: number;
  code?: string;
  reason?: string;
  /**
   * Logged as name, code, message, stack and causes, without the error's other fields. If its cause is outside of the program, only as
   * `reason` and `code`, unless the level is debug.
   */
  err?: unknown;
}

export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** For an error that ends the process. */
  fatal(fields: LogFields, message: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: LogFields): Logger;
}

const allowed = new Set(
  [
    'account importId purchaseOrderId poNumber state epoch queue jobId file rowNumber method path status',
    'requestId dealer durationMs waitMs count port code reason',
  ].flatMap((names) => names.split(' ')),
);

/** Describes an error without its own fields, because got's errors contain the Authorization header. */
const describeError = (thrown: unknown, depth = 0): unknown => {
  if (!(thrown instanceof Error)) return String(thrown);
  const code = (thrown as { code?: unknown }).code;
  return {
    name: thrown.name,
    ...(typeof code === 'string' ? { code } : {}),
    message: thrown.message,
    stack: depth === 0 ? thrown.stack : undefined,
    ...(thrown.cause !== undefined && depth < 3 ? { cause: describeError(thrown.cause, depth + 1) } : {}),
  };
};

/** The reason of an error. The message is empty if a server did not answer at any of its addresses. */
const reasonOf = (thrown: unknown): string =>
  plainCause(messageOf(thrown) || messageOf((thrown as AggregateError).errors?.[0]));

const pick = (fields: LogFields, verbose: boolean): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === 'err') {
      if (verbose || !isFromOutside(value)) kept.err = describeError(value);
      else {
        const { code } = value as { code?: unknown };
        kept.reason ??= reasonOf(value);
        if (typeof code === 'string') kept.code ??= code;
      }
    } else if (allowed.has(name)) kept[name] = value;
  }
  return kept;
};

interface Wrapping {
  /** Log stack traces of all errors. */
  verbose: boolean;
  /** Changes messages and reasons. */
  words: (text: string) => string;
}

const wrap = (inner: pino.Logger, options: Wrapping): Logger => {
  const { verbose, words } = options;
  const log =
    (level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') =>
    (fields: LogFields, message: string): void => {
      if (!inner.isLevelEnabled(level)) return;
      const picked = pick(fields, verbose);
      const { reason } = picked;
      inner[level](
        typeof reason === 'string' ? { ...picked, reason: words(reason) } : picked,
        words(message),
      );
    };
  return {
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
    fatal: log('fatal'),
    child: (fields) => wrap(inner.child(pick(fields, verbose)), options),
  };
};

/** Readable lines. Loaded with the first line, because most commands log none. */
const prettyLines = once(() => {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  return pretty({
    destination: 2,
    sync: true,
    colorize: process.stderr.isTTY === true,
    ignore: 'pid,hostname',
  });
});

/**
 * A logger to standard error; standard output is for the results of commands.
 * @param options.level pino's levels, or `silent`
 * @param options.readable lines for people instead of JSON
 * @param options.words changes messages and reasons; default: no change
 */
export const createLogger = (options: {
  level: string;
  readable: boolean;
  words?: ((text: string) => string) | undefined;
}): Logger => {
  const target = options.readable
    ? { write: (line: string) => prettyLines().write(line) }
    : pino.destination({ dest: 2, sync: true });
  const inner = pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, target);
  const { words = (text: string) => text } = options;
  return wrap(inner, { verbose: inner.isLevelEnabled('debug'), words });
};

/**
 * A logger that writes nothing.
 * @internal used by tests and benchmarks only
 */
export const silentLogger: Logger = wrap(pino({ level: 'silent' }), {
  verbose: false,
  words: (text) => text,
});
