import { pino } from 'pino';
import pretty from 'pino-pretty';

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
  /** Logged as name, code, message, stack and causes, without the error's other fields. */
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

/** An error without its fields: those of got's errors contain the Authorization header. */
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

const pick = (fields: LogFields): object => {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (name === 'err') kept.err = describeError(value);
    else if (allowed.has(name)) kept[name] = value;
  }
  return kept;
};

const wrap = (inner: pino.Logger): Logger => ({
  debug: (fields, message) => inner.debug(pick(fields), message),
  info: (fields, message) => inner.info(pick(fields), message),
  warn: (fields, message) => inner.warn(pick(fields), message),
  error: (fields, message) => inner.error(pick(fields), message),
  fatal: (fields, message) => inner.fatal(pick(fields), message),
  child: (fields) => wrap(inner.child(pick(fields))),
});

/**
 * A logger to standard error; standard output is for the results of commands.
 * @param options.level pino's levels, or `silent`
 * @param options.readable lines for people instead of JSON
 */
export const createLogger = (options: { level: string; readable: boolean }): Logger => {
  const target = options.readable
    ? pretty({ destination: 2, sync: true, colorize: process.stderr.isTTY === true, ignore: 'pid,hostname' })
    : pino.destination({ dest: 2, sync: true });
  return wrap(pino({ level: options.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, target));
};

/**
 * A logger that writes nothing.
 * @internal used by tests and benchmarks only
 */
export const silentLogger: Logger = wrap(pino({ level: 'silent' }));
