import { z } from 'zod';
import { type CodeLists, specCodeLists } from '../../contract/carts.ts';
import { plainIssues } from '../../contract/plain-issues.ts';
import { messageOf } from '../../errors.ts';
import { headerKey as nameKey } from '../columns/fields.ts';
import { columnsByPosition, matchHeader, positionOf } from '../columns/match-header.ts';
import { fileMappingSchema } from '../file-mapping.ts';
import { decoderOf } from '../formats/csv/decode-text.ts';
import { joinColumns } from '../joined-tables.ts';
import { type IntakeOptions, intakeOptionsSchema } from '../options.ts';
import { readConstants } from '../rows/check-constants.ts';
import { compileRules } from '../rows/compile-rules.ts';
import type { KnownValue } from './answers.ts';
import { foldValues, knownOf, whyNotAnswer, whyNotValue } from './known-values.ts';
import type { Layout } from './layout.ts';
import { headerNames, keyWithoutHeader, layoutKey } from './layout-key.ts';
import { optionsOfLayout } from './layout-settings.ts';
import { isOther } from './watch-others.ts';
import { isUnnamedKey } from './watched-columns.ts';

/** The widest table that a file can have. */
export const mostColumns = 16_384;
const unseen = /[\p{C}\p{Zl}\p{Zp}]/u;

/** The allowed names of a layout. */
export const layoutNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(60)
  .refine((name) => !unseen.test(name), { error: 'must have no characters that cannot be seen' });

const wrongAnswer = { error: 'must be seen, order, leave_out, ask, or pieces with a number (pieces 12)' };
const knownValueSchema = z
  .string(wrongAnswer)
  .regex(/^(?:seen|order|leave_out|ask|pieces [1-9]\d{0,4})$/, wrongAnswer)
  .transform((answer) => answer as KnownValue);

/** The longest value that is compared, and the longest name of a column. */
const longestKey = 1100;

/** A layout in files of `cartwright layouts export` and in the API. */
const layoutEntrySchema = z.strictObject({
  account: z.string().min(1).max(200),
  name: layoutNameSchema,
  kind: z.enum(['order', 'no_order']).default('order'),
  header: z.array(z.string().max(1000)).max(mostColumns),
  width: z.int().min(1).max(mostColumns).optional(),
  settings: fileMappingSchema.default({}),
  values: z
    .record(z.string().max(longestKey), z.record(z.string().max(longestKey), knownValueSchema))
    .optional(),
});
export type LayoutEntry = z.output<typeof layoutEntrySchema>;

/** A layout to be agreed to, without the person. */
export type CheckedLayout = Pick<Layout, 'headerKey' | 'name' | 'kind' | 'header' | 'settings' | 'known'> & {
  account: string;
};

/** A mistake in an entry. `detail` continues a sentence that begins with the name of the field. */
export interface WrongEntry {
  path: (string | number)[];
  detail: string;
}

const isColumn = (path: readonly PropertyKey[]) => path[0] === 'settings' && path[1] === 'columns';

const wrongShape = (error: z.ZodError): WrongEntry[] =>
  error.issues.flatMap((issue): WrongEntry[] => {
    const path = issue.path.map((key) => (typeof key === 'number' ? key : String(key)));
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: [...path, key], detail: 'is not a field' }));
    if (issue.code === 'invalid_value' && isColumn(path))
      return [{ path, detail: 'must be the name of a field, such as quantity, or ignore' }];
    const { message } = issue;
    return [{ path, detail: /^(is|has|must) /.test(message) ? message : `must be ${message}` }];
  });

/** The settings of an account by which its layouts are checked. */
interface AccountOfLayout {
  intake: IntakeOptions;
  codeLists: CodeLists;
}

const noAccount: AccountOfLayout = { intake: intakeOptionsSchema.parse({}), codeLists: specCodeLists };

/** Contradictions between header and settings, and missing fields. */
const wrongColumns = (entry: LayoutEntry, account: Pick<IntakeOptions, 'constants'>): WrongEntry[] => {
  const { header, width, settings } = entry;
  const columns = settings.columns ?? {};
  const options = {
    columns,
    constants: { ...account.constants, ...settings.constants },
    poNumberFrom: settings.poNumberFrom,
  };
  const match = width === undefined ? matchHeader(header, options) : columnsByPosition(width, options);
  if (match.kind === 'incomplete')
    return match.missing.map((names) => ({
      path: ['settings', 'columns'],
      detail: `has no column for ${names.join(' or ')}`,
    }));
  if (match.kind === 'ambiguous') {
    const message = match.message.replace(' in intake.columns of the account', ' here');
    return [{ path: ['settings', 'columns'], detail: `is not clear: ${message.replace(/\.$/, '')}` }];
  }
  return match.unused
    .filter((name) => !/^column \d+$/.test(name))
    .map((name) => ({
      path: ['settings', 'columns', name],
      detail: width === undefined ? 'is not in the header' : `is not one of the ${width} columns`,
    }));
};

const wrongAnswers = (column: string, of: Readonly<Record<string, KnownValue>>): WrongEntry[] =>
  Object.entries(of).flatMap(([value, answer]) => {
    const why = (isOther(column) ? undefined : whyNotValue(value)) ?? whyNotAnswer(column, value, answer);
    return why === undefined ? [] : [{ path: ['values', column, value], detail: why }];
  });

/** Answers for values that no file of the layout can have. */
const wrongValues = ({ header, width, values = {} }: LayoutEntry): WrongEntry[] => {
  const names = new Set(header.map((name) => nameKey(name) || name));
  const isColumn = (name: string) =>
    width === undefined ? names.has(nameKey(name) || name) : (positionOf(name) ?? width) < width;
  return Object.entries(values).flatMap(([column, of]): WrongEntry[] => {
    if (isOther(column)) return wrongAnswers(column, of);
    if (!(width === undefined && isUnnamedKey(column)) && !isColumn(column))
      return [{ path: ['values', column], detail: 'is not in the header' }];
    return wrongAnswers(column, of);
  });
};

/** A join by a column that is not in this header. */
const wrongJoin = ({ header, settings: { join } }: LayoutEntry): WrongEntry[] => {
  if (!join) return [];
  const { orders, lines } = joinColumns(join.by);
  const isIn = (...some: string[]) => header.some((name) => some.map(nameKey).includes(nameKey(name)));
  return isIn(lines) && isIn(orders, `${join.orders} ${orders}`)
    ? []
    : [{ path: ['settings', 'join', 'by'], detail: 'is not in the header' }];
};

/** Constants that the service would refuse for every line of a file. */
const wrongConstants = ({ settings }: LayoutEntry, { intake, codeLists }: AccountOfLayout): WrongEntry[] =>
  readConstants(
    { constants: settings.constants ?? {} },
    compileRules(optionsOfLayout(intake, settings), codeLists, false),
  ).wrong.map(({ field, message }) => ({
    path: ['settings', 'constants', field],
    detail: `is not possible: ${message.replace(/\.$/, '')}`,
  }));

const wrongTogether = (entry: LayoutEntry, account: AccountOfLayout): WrongEntry[] => {
  const { header, width, kind, settings } = entry;
  const wrong = (path: string, detail: string): WrongEntry[] => [{ path: path.split('.'), detail }];
  // Postgres cannot store this character.
  if (JSON.stringify(entry).includes('\\u0000')) return wrong('header', 'must have no NUL characters');
  const isBare = header.length === 0;
  if (isBare && kind === 'no_order') return wrong('header', 'must not be empty for kind no_order');
  if (!isBare && headerNames(header).length === 0) return wrong('header', 'has no names');
  if (isBare && settings.header !== 'none')
    return wrong('settings.header', 'must be none, because header is empty');
  if (isBare && width === undefined)
    return wrong('width', 'is missing; it must be the number of columns, because header is empty');
  if (!isBare && width !== undefined) return wrong('width', 'is only for files without a header');
  if (!isBare && settings.header === 'none')
    return wrong('settings.header', 'must not be none, because header has names');
  if (kind === 'no_order')
    return Object.keys(settings).length > 0 ? wrong('settings', 'must be empty for kind no_order') : [];
  if (settings.constants?.po_number !== undefined)
    return wrong('settings.constants.po_number', 'is not possible: all files would have the same PO number');
  try {
    if (settings.encoding !== undefined) decoderOf(settings.encoding);
  } catch (error) {
    const [, rule = messageOf(error)] = /^[^:]+: (.*?)\.?$/.exec(messageOf(error)) ?? [];
    return wrong('settings.encoding', `is not possible: ${rule}`);
  }
  return [
    ...wrongConstants(entry, account),
    ...wrongColumns(entry, account.intake),
    ...wrongJoin(entry),
    ...wrongValues(entry),
  ];
};

/**
 * Checks a layout that a person wrote. Pure.
 *
 * @param accountOf the settings of its account; undefined if it is not configured and so has no constants
 */
export const checkLayoutEntry = (
  value: unknown,
  accountOf: (name: string) => AccountOfLayout | undefined,
): { kind: 'layout'; layout: CheckedLayout } | { kind: 'wrong'; wrong: WrongEntry[] } => {
  const parsed = layoutEntrySchema.safeParse(value, { error: plainIssues });
  if (!parsed.success) return { kind: 'wrong', wrong: wrongShape(parsed.error) };
  const wrong = wrongTogether(parsed.data, accountOf(parsed.data.account) ?? noAccount);
  if (wrong.length > 0) return { kind: 'wrong', wrong };
  const { width, values, ...entry } = parsed.data;
  const headerKey = width === undefined ? layoutKey(entry.header) : keyWithoutHeader(width);
  return {
    kind: 'layout',
    layout: {
      ...entry,
      headerKey,
      ...(values ? { known: knownOf(foldValues(values, width !== undefined, entry.header.length)) } : {}),
    },
  };
};
