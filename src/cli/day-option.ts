import { UserError } from '../errors.ts';

const dayOption = (option: string, text: string | undefined): string | undefined => {
  if (text === undefined) return undefined;
  const at = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text))
    return text;
  throw new UserError('bad_option', `${option} must be a day such as 2026-11-20 (got ${text}).`);
};

/** @throws UserError `bad_option` for text that is no day, and for days in the wrong order */
export const dayOptions = (options: { from?: string; to?: string }) => {
  const from = dayOption('--from', options.from);
  const to = dayOption('--to', options.to);
  if (from !== undefined && to !== undefined && from > to)
    throw new UserError('bad_option', `--from ${from} is after --to ${to}. Swap them.`);
  return { from, to };
};
