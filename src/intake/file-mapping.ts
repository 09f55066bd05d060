import { z } from 'zod';
import { UserError } from '../errors.ts';
import { decoderOf } from './formats/csv/decode-text.ts';
import { type IntakeOptions, intakeOptionsSchema, isOfLayout } from './options.ts';

const { shape } = intakeOptionsSchema;

/** The settings of `intake` that a person may choose for a single file. */
export const fileMappingSchema = z.strictObject({
  columns: shape.columns.unwrap().optional(),
  constants: shape.constants.unwrap().optional(),
  sheet: shape.sheet,
  header: shape.header.unwrap().optional(),
  headerRows: shape.headerRows.unwrap().optional(),
  skipRows: shape.skipRows.unwrap().optional(),
  delimiter: shape.delimiter,
  encoding: shape.encoding,
  decimal: shape.decimal,
  continuationRows: shape.continuationRows.unwrap().optional(),
  itemInBrackets: shape.itemInBrackets.unwrap().optional(),
  stateNames: shape.stateNames.unwrap().optional(),
  poNumberFrom: shape.poNumberFrom,
  join: shape.join,
});

type Setting = Exclude<keyof z.output<typeof fileMappingSchema>, 'columns' | 'constants'>;

/** The allowed values of each setting, in words. */
export const settingValues: Record<Setting, string> = {
  sheet: 'the name or the number of a sheet',
  header: 'the number of a row, auto, or none',
  headerRows: '1 or 2',
  skipRows: 'a number of rows',
  delimiter: 'one sign, such as , ; | or tab',
  encoding: 'the name of an encoding, such as utf-8 or windows-1252',
  decimal: 'point or comma',
  continuationRows: 'true or false',
  itemInBrackets: 'true or false',
  stateNames: 'refuse or convert',
  poNumberFrom:
    'typed, a pattern of numbers that are made ({n} in it), a pattern of the file’s or the sheet’s name ({po} in it), or the label of a cell',
  join: 'the sheet of the orders, the sheet of their lines, and the column that both have',
};

interface MappingMistake {
  field: string;
  /** The requirement, worded to follow the field's name. */
  detail: string;
}

const mistakeOf = (path: readonly PropertyKey[], message: string): MappingMistake => {
  const [name, part] = path.map(String);
  const values = settingValues[name as Setting];
  const isField = name === 'columns' && part !== undefined;
  return {
    field: path.join('.'),
    detail: values
      ? `must be ${values}`
      : isField
        ? 'must be ignore or a field, such as po_number, item_sku, quantity or ship_city'
        : message,
  };
};

const isEncoding = (name: string): boolean => {
  try {
    decoderOf(name);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
};

/** Checks a person's settings for reading a file. Pure. */
export const checkMapping = (
  given: unknown,
): { kind: 'mapping'; mapping: FileMapping } | { kind: 'mistakes'; mistakes: MappingMistake[] } => {
  const { data: mapping, error } = fileMappingSchema.safeParse(given);
  if (error) {
    return { kind: 'mistakes', mistakes: error.issues.map(({ path, message }) => mistakeOf(path, message)) };
  }
  if (mapping.encoding !== undefined && !isEncoding(mapping.encoding))
    return {
      kind: 'mistakes',
      mistakes: [
        {
          field: 'encoding',
          detail: `must be ${settingValues.encoding}: ${JSON.stringify(mapping.encoding)} is none`,
        },
      ],
    };
  return { kind: 'mapping', mapping };
};

/** A person's settings for reading one file. Omitted ones are the account's. */
export type FileMapping = z.output<typeof fileMappingSchema>;

/** Settings without those that are undefined. Pure. */
export const given = <T extends object>(settings: T): Partial<T> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<T>;

/** The settings of an account's layout, as the mapping of one file. */
export const mappingOfLayout = (options: IntakeOptions, layout: string): FileMapping =>
  given(options.layouts[layout] ?? {});

/**
 * The account's settings overridden by those for one file. A mapping with columns defines the file completely, so the account's layouts are
 * ignored; without columns, its other settings also apply to the matching layout. Pure.
 */
export const withMapping = (options: IntakeOptions, mapping: FileMapping): IntakeOptions => {
  const { columns, constants, ...rest } = mapping;
  const settings = given(rest);
  const isNumbered = ({ header }: { header?: unknown }) => header === 'none';
  // Columns by position and columns by header text are not mixed: a header "B" is not the second column.
  const mixed = settings.header !== undefined && isNumbered(settings) !== isNumbered(options);
  const forLayouts = Object.fromEntries(Object.entries(settings).filter(([name]) => isOfLayout(name)));
  return {
    ...options,
    ...settings,
    columns: { ...(mixed ? {} : options.columns), ...columns },
    constants: { ...options.constants, ...constants },
    layouts:
      columns === undefined
        ? Object.fromEntries(
            Object.entries(options.layouts).map(([name, layout]) => [name, { ...layout, ...forLayouts }]),
          )
        : {},
  };
};
