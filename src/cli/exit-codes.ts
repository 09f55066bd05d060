import { FileRefused, UserError } from '../errors.ts';
import { explainFileError } from '../file-access.ts';
import { isLostConnection } from '../ledger/lost-connection.ts';
import { CannotStart } from '../service/cannot-start.ts';

/** The exit codes of `cartwright`. `--help` and docs/settings.md show this table. */
export const exitCodes = {
  fine: { code: 0, means: 'Success.' },
  notAllDone: {
    code: 1,
    means:
      'Finished, but not everything was ordered: a file was refused, or a PO was rejected, held or failed. Or `doctor` found a problem that a person has to solve. The output names each.',
  },
  usage: {
    code: 2,
    means: 'The command line, the configuration or a named file is wrong. Nothing was started.',
  },
  unreachable: {
    code: 3,
    means:
      'Something that is needed cannot be used: the database, Redis, the dealer order service (also if it refuses the credential), a port that is in use (the console then takes another one and says which, unless `console.host` opens it to other machines), a folder or a disk (also one that is full), or a ledger that workers of an earlier version use. Files already imported stay in the ledger and are processed later.',
  },
  defect: {
    code: 4,
    means:
      'Unexpected error; --verbose shows the stack trace. `up`, `work`, `watch` and `service` log it, shut down as on SIGTERM and exit with this code, so that a supervisor restarts them.',
  },
  unhealthy: {
    code: 5,
    means: '`status --check` found a problem that a person has to solve. The output says what to do.',
  },
  interrupted: { code: 130, means: 'Stopped by a second Ctrl-C without waiting for running jobs.' },
} as const;

/** An exit code by its name. */
export type ExitCode = keyof typeof exitCodes;

/** The result of a command; nothing: `fine`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a command without a return is one that succeeds.
export type Ended = Promise<ExitCode | void>;

const unreachable = new Set([
  'cannot_listen',
  'console_down',
  'database_down',
  'database_unsupported',
  'port_taken',
  'queue_down',
  'queue_unsupported',
  'service_denied',
  'service_down',
  'workers_older',
]);

/** Whether an error is for a person to fix: shown as its message alone, without a stack trace. */
export const isForPeople = (thrown: unknown): boolean =>
  thrown instanceof UserError || thrown instanceof FileRefused || thrown instanceof CannotStart;

/** The exit code for an error that ended a command. */
export const exitCodeOf = (thrown: unknown): ExitCode => {
  if (thrown instanceof FileRefused) return 'notAllDone';
  // The request was valid, but the rules or another person's action forbid it.
  if (thrown instanceof UserError && thrown.code === 'not_possible') return 'notAllDone';
  if (isForPeople(thrown)) {
    const { code } = thrown as UserError;
    if (code === 'stopped') return 'fine';
    return unreachable.has(code) || code.startsWith('embedded_') ? 'unreachable' : 'usage';
  }
  return isLostConnection(thrown) || explainFileError(thrown) !== undefined ? 'unreachable' : 'defect';
};
