/** Thrown when the service cannot start as it is configured; `code` is for programs, the message for people. */
export class CannotStart extends Error {
  override name = 'CannotStart';
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
