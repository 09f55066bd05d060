import { UserError } from '../errors.ts';
import { type FileMapping, fileMappingSchema } from '../intake/file-mapping.ts';

/** The settings of `--set`: how a file is written. */
const names = Object.keys(fileMappingSchema.shape).filter(
  (name) => name !== 'columns' && name !== 'constants',
);

export const settingNames = names.join(', ');

const poSources = ['typed', 'made', 'fileName', 'cell', 'sheetName'];

const readValue = (name: string, text: string): unknown => {
  if (name === 'join') {
    const [orders, lines, by, ofLines] = text.split('/');
    return { orders, lines, by: ofLines === undefined ? by : { orders: by, lines: ofLines } };
  }
  if (name === 'poNumberFrom') {
    const [kind = '', ...rest] = text.split(':');
    return { [poSources.includes(kind) ? kind : 'typed']: kind === 'typed' ? true : rest.join(':') };
  }
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
};

const split = (option: string, given: string): [string, string] => {
  const at = given.lastIndexOf('=');
  if (at > 0) return [given.slice(0, at).trim(), given.slice(at + 1).trim()];
  throw new UserError(
    'bad_setting',
    `${option} needs a name, = and a value, such as ${option === '--column' ? '--column "Order No=po_number"' : '--set decimal=comma'} (got "${given}").`,
  );
};

/**
 * What a person says on the command line about how a file is read.
 *
 * @param columns `HEADER=FIELD`, or `HEADER=ignore`
 * @param settings `NAME=VALUE`
 * @throws UserError `bad_setting`
 */
export const readingSettings = (columns: readonly string[], settings: readonly string[]): FileMapping => {
  const given: Record<string, unknown> = {};
  for (const one of settings) {
    const at = one.indexOf('=');
    const [name, value] = at > 0 ? [one.slice(0, at).trim(), one.slice(at + 1)] : split('--set', one);
    if (!names.includes(name))
      throw new UserError('bad_setting', `--set has no setting "${name}". It has ${settingNames}.`);
    given[name] = readValue(name, value);
  }
  if (columns.length > 0) given.columns = Object.fromEntries(columns.map((one) => split('--column', one)));
  const checked = fileMappingSchema.safeParse(given);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  const name = String(issue?.path[0] ?? '');
  const option = name === 'columns' ? `--column "${String(issue?.path[1] ?? '')}=…"` : `--set ${name}=…`;
  throw new UserError('bad_setting', `${option}: ${issue?.message ?? 'is not valid'}.`);
};
