import { z } from 'zod';
import { type IntakeOptions, intakeOptionsSchema } from './options.ts';

const { shape } = intakeOptionsSchema;

/** The settings of `intake` that a person may decide for a single file. */
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

/** How a person decided that one file is read. What is left out is as the account has it. */
export type FileMapping = z.output<typeof fileMappingSchema>;

/** Settings that a layout can have besides its columns. */
const layoutSettings = [
  'header',
  'headerRows',
  'skipRows',
  'poNumberFrom',
  'decimal',
  'continuationRows',
] as const;

const given = <T extends object>(settings: T): Partial<T> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Partial<T>;

/** What a layout of the account sets, as the mapping of one file. */
export const mappingOfLayout = (options: IntakeOptions, layout: string): FileMapping =>
  given(options.layouts[layout] ?? {});

/**
 * The account's settings with those for one file over them. A mapping with columns says itself what the file is, so the
 * account's layouts are not looked at; without columns, its other settings also apply to the layout that fits. Pure.
 */
export const withMapping = (options: IntakeOptions, mapping: FileMapping): IntakeOptions => {
  const { columns, constants, ...rest } = mapping;
  const settings = given(rest);
  const isNumbered = ({ header }: { header?: unknown }) => header === 'none';
  // Columns by position and columns by header text are not mixed: a header "B" is not the second column.
  const mixed = settings.header !== undefined && isNumbered(settings) !== isNumbered(options);
  const forLayouts = given(
    Object.fromEntries(layoutSettings.map((name) => [name, settings[name]])) as Partial<FileMapping>,
  );
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
