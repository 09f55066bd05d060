/** Thrown when the service cannot start with its configuration. `code` is for programs, the message for people. */
export class CannotStart extends Error {
  override name = 'CannotStart';
  readonly code: string;
  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
