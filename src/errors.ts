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
