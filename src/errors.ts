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
  /** Technical details in terms of the file format; for logs and `--verbose`, not for dealers. */
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
 * A reason as a part of a sentence, without a full stop: translates Node's messages about failed connections for people, and keeps
 * other messages.
 */
export const plainCause = (message: string): string =>
  causes.reduce((text, [found, words]) => text.replace(found, words), message).replace(/(?<!\.)\.$/, '');

/** A refusal as a return value instead of an exception. */
export interface Refused {
  kind: 'refused';
  code: string;
  message: string;
  /** @see FileRefused */
  technical?: string;
  /** The names in the row that seems to be the file's header, if one was found. */
  header?: string[];
}

export const refusedBy = ({ code, message, technical }: FileRefused): Refused => ({
  kind: 'refused',
  code,
  message,
  ...(technical === undefined ? {} : { technical }),
});

// Postgres codes for invalid values, violated constraints and invalid statements: bugs of the program.
const mistakeOfProgram = /^(?:22|23|42)/;
const ofConnection =
  /^(?:Connection (?:is closed|terminated)|timeout exceeded when trying|Command timed out|Stream isn't writeable|Client has encountered a connection error)/;

/**
 * Whether the cause of an error is outside of the program (an unreachable server, a full disk, an unreadable file, a timeout, something
 * that a person has to fix), so that its stack trace is of no use.
 */
export const isFromOutside = (thrown: unknown): boolean => {
  if (!(thrown instanceof Error)) return false;
  if (thrown instanceof UserError || thrown instanceof FileRefused) return true;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return thrown.errors.every(isFromOutside);
  const { code, name, cause } = thrown as { code?: unknown; name: string; cause?: unknown };
  // `fetch` throws a TypeError if the server cannot be reached.
  if (thrown instanceof TypeError || thrown instanceof RangeError) return isFromOutside(cause);
  if (typeof code === 'string') return !mistakeOfProgram.test(code);
  return (
    ['TimeoutError', 'ReplyError', 'MaxRetriesPerRequestError'].includes(name) ||
    ofConnection.test(thrown.message)
  );
};

/** The subject of an error, for the log. */
export interface ErrorSubject {
  account?: string;
  importId?: string;
  file?: string;
  poNumber?: string;
}

const subjects = new WeakMap<object, ErrorSubject>();

/** Attaches the subject to an error, for the code that logs it. */
export const withSubject = <T>(thrown: T, subject: ErrorSubject): T => {
  if (typeof thrown === 'object' && thrown !== null)
    subjects.set(thrown, { ...subject, ...subjects.get(thrown) });
  return thrown;
};

export const subjectOf = (thrown: unknown): ErrorSubject =>
  typeof thrown === 'object' && thrown !== null ? (subjects.get(thrown) ?? {}) : {};
