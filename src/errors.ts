/**
 * What a person did or has to mend: shown as one sentence, without a stack trace. `code` is stable and
 * for programs; `message` says what happened, where, and what to do.
 */
export class UserError extends Error {
  override name = 'UserError';
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Thrown where a purchase file as a whole cannot be taken; it becomes the import's refusal. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The sentence of anything that was thrown. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
