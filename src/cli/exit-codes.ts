import { FileRefused, UserError } from '../errors.ts';
import { CannotStart } from '../service/cannot-start.ts';

/** What `cartwright` ends with; the only place that says so. docs/operating.md shows this table. */
export const exitCodes = {
  fine: { code: 0, means: 'Done as asked.' },
  notAllDone: {
    code: 1,
    means:
      'Done, but not all of it became orders: a file was refused, or a PO was rejected, held or failed. The output names each.',
  },
  usage: {
    code: 2,
    means: 'The command line, the configuration or a named file is wrong; nothing was begun.',
  },
  unreachable: {
    code: 3,
    means:
      'A server cannot be used: the database, Redis, the dealer order service (also a refused credential), or a port that is taken. What was taken stays in the ledger and is gone on with later.',
  },
  defect: {
    code: 4,
    means:
      'An unexpected error; --verbose shows where. `up`, `work`, `watch` and `service` log it, stop as on SIGTERM and exit with this code, so that a supervisor restarts them.',
  },
  unhealthy: {
    code: 5,
    means: '`status --check` found something that needs a person; the output names it and says what to do.',
  },
  interrupted: { code: 130, means: 'Ended by a second Ctrl-C without waiting for what was running.' },
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]['code'];

const unreachable = new Set([
  'cannot_listen',
  'database_down',
  'port_taken',
  'queue_down',
  'queue_unsupported',
  'service_denied',
  'service_down',
]);

// Of Node and of Postgres: refused, reset, timed out, no such host; shut down, starting up, too many connections.
const connectionCodes = new Set(
  'ECONNREFUSED ECONNRESET ETIMEDOUT ENOTFOUND EAI_AGAIN EPIPE 57P01 57P02 57P03 53300 08000 08003 08006'.split(
    ' ',
  ),
);

/** Whether something that was thrown is to be shown as its sentence alone, without a stack trace. */
export const isForPeople = (thrown: unknown): boolean =>
  thrown instanceof UserError || thrown instanceof FileRefused || thrown instanceof CannotStart;

/** Whether what was thrown says that a server went away. */
export const isLostConnection = (thrown: unknown): boolean => {
  const { code, errors } = thrown as { code?: unknown; errors?: unknown[] };
  if (Array.isArray(errors) && errors.length > 0) return errors.some(isLostConnection);
  if (typeof code === 'string') return connectionCodes.has(code);
  // pg gives these no code.
  return (
    thrown instanceof Error && /^Connection terminated|^timeout exceeded when trying/.test(thrown.message)
  );
};

/** The exit code for something that was thrown. */
export const exitCodeOf = (thrown: unknown): ExitCode => {
  if (thrown instanceof FileRefused) return exitCodes.notAllDone.code;
  if (isForPeople(thrown)) {
    const { code } = thrown as UserError;
    return unreachable.has(code) || code.startsWith('embedded_')
      ? exitCodes.unreachable.code
      : exitCodes.usage.code;
  }
  return isLostConnection(thrown) ? exitCodes.unreachable.code : exitCodes.defect.code;
};
