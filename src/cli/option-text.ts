import { UserError } from '../errors.ts';

/** The error for an invalid command line option. */
export const badOption = (message: string, options?: ErrorOptions): UserError =>
  new UserError('bad_option', message, options);

/** @throws UserError `bad_option` if the text is not one of the choices */
export const oneOf = <Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice => {
  const found = choices.find((one) => one === text);
  if (found === undefined) throw badOption(`${option} must be one of ${choices.join(', ')} (got ${text}).`);
  return found;
};

/** `readLagMs` as it is written on a command line: `read-lag-ms`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Text that is not a number is returned unchanged, because the later check has the message for it. */
export const readNumber = (text: string): number | string =>
  text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);

const dayOption = (option: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const at = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text))
    return text;
  throw badOption(`${option} must be a day such as 2026-11-20 (got ${text}).`);
};

/** @throws UserError `bad_option` for an invalid day, and for days in the wrong order */
export const dayOptions = (options: { from?: string; to?: string }) => {
  const from = dayOption('--from', options.from);
  const to = dayOption('--to', options.to);
  if (from !== undefined && to !== undefined && from > to)
    throw badOption(`--from ${from} is after --to ${to}. Swap them.`);
  return { from, to };
};

/** The option of commands that can ask a running console instead of opening the ledger. */
export const urlOption = [
  '--url <address>',
  'ask a running console instead of the ledger; CARTWRIGHT_API_TOKEN is its token',
] as const;
