/**
 * Something that a person has to fix. It is shown without a stack trace: `message` says what happened, where, and what
 * to do; `code` is stable, for programs.
 */
export class UserError extends Error {
  override name = 'UserError';
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown for a purchase file that cannot be imported as a whole; its message is shown as the reason. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly code: string;
  /** What was found, in the terms of the file format; for logs and `--verbose`, not for dealers. */
  readonly technical: string | undefined;
  constructor(code: string, message: string, options?: { cause?: unknown; technical?: string | undefined }) {
    super(message, options);
    this.code = code;
    this.technical = options?.technical;
  }
}

/** The message of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

const causes: [RegExp, string][] = [
  [/(?:\w+: )?\bconnect ECONNREFUSED (\S+)/, 'cannot connect to $1 (connection refused)'],
  [/(?:\w+: )?\bconnect ETIMEDOUT (\S+)/, 'cannot connect to $1 (timed out)'],
  [/(?:\w+: )?\bgetaddrinfo (?:ENOTFOUND|EAI_AGAIN) (\S+)/, 'cannot find the host $1'],
  [/\bread ECONNRESET\b/, 'the connection was reset'],
];

/**
 * A reason as a part of a sentence, so without a full stop: a message of Node about a failed connection in words for people, other
 * messages as they are.
 */
export const plainCause = (message: string): string =>
  causes.reduce((text, [found, words]) => text.replace(found, words), message).replace(/(?<!\.)\.$/, '');

/** A refusal as data, for those who do not throw. */
export interface Refused {
  kind: 'refused';
  code: string;
  message: string;
  /** @see FileRefused */
  technical?: string;
  /** The names of the row that seems to be the header of the file, where one was found. */
  header?: string[];
}

export const refusedBy = ({ code, message, technical }: FileRefused): Refused => ({
  kind: 'refused',
  code,
  message,
  ...(technical === undefined ? {} : { technical }),
});

// Values that are wrong or that a constraint refuses, and wrong statements: these codes of Postgres are mistakes of the program.
const mistakeOfProgram = /^(?:22|23|42)/;
const ofConnection =
  /^(?:Connection (?:is closed|terminated)|timeout exceeded when trying|Command timed out|Stream isn't writeable|Client has encountered a connection error)/;

/**
 * Whether the cause of an error is outside of the program: a server that is gone, a full disk, a file that cannot be read, a time-out,
 * something that a person has to fix. Its stack trace leads nowhere.
 */
export const isFromOutside = (thrown: unknown): boolean => {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof UserError || thrown instanceof FileRefused) return true;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return thrown.errors.every(isFromOutside);
  const { code, name, cause } = thrown as { code?: unknown; name: string; cause?: unknown };
  // `fetch` throws a TypeError about a server that is gone.
  if (thrown instanceof TypeError || thrown instanceof RangeError) return isFromOutside(cause);
  if (typeof code === 'string') return !mistakeOfProgram.test(code);
  return (
    ['TimeoutError', 'ReplyError', 'MaxRetriesPerRequestError'].includes(name) ||
    ofConnection.test(thrown.message)
  );
};

/** What an error is about, for the log. */
export interface ErrorSubject {
  account?: string;
  importId?: string;
  file?: string;
  poNumber?: string;
}

const subjects = new WeakMap<object, ErrorSubject>();

/** Notes what an error is about where that is known, for the place that logs it. */
export const withSubject = <T>(thrown: T, subject: ErrorSubject): T => {
  if (typeof thrown === 'object' && thrown !== null)
    subjects.set(thrown, { ...subject, ...subjects.get(thrown) });
  return thrown;
};

export const subjectOf = (thrown: unknown): ErrorSubject =>
  typeof thrown === 'object' && thrown !== null ? (subjects.get(thrown) ?? {}) : {};
