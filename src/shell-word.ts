/** A text as one word of a command line that a person can copy into a shell. Pure. */
export const shellWord = (text: string): string =>
  /^[\p{L}\p{N}_./@:+][\p{L}\p{N}_./@:+-]*$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
