import { z } from 'zod';
import { cartOptionNames, type FieldName, fieldNames } from './columns/fields.ts';

const mib = 1024 * 1024;

const limit = (value: number) => z.int().min(1).default(value);

/** Limits for reading a file: what is larger is refused. Spreadsheets are read in a child process, which is killed when it exceeds them. */
const limits = z.strictObject({
  maxFileBytes: limit(2048 * mib),
  /** Of a workbook, an HTML or an XML file. */
  maxSpreadsheetBytes: limit(256 * mib),
  /** Of a workbook when it is unpacked. */
  maxInflatedBytes: limit(2048 * mib),
  /** Of a CSV row: usually a quote was never closed. */
  maxRecordBytes: limit(mib),
  /** Cells further to the right are ignored. */
  maxColumns: limit(1024),
  timeoutMs: limit(60_000),
  memoryMb: limit(512),
});

const constant = z.union([z.string(), z.number(), z.boolean()]);

const columns = z.record(z.string().min(1), z.enum([...fieldNames, 'ignore']));
const header = z.union([z.literal('auto'), z.literal('none'), z.int().min(1)]);
const skipRows = z.int().min(0);
const constants = z.partialRecord(z.enum(fieldNames), constant);
const decimal = z.enum(['point', 'comma']);

const pattern = z.string().regex(/^[^*{}]*(?:\*[^*{}]+)?\{po\}(?:[^*{}]+\*?)?[^*{}]*$/, {
  error: 'must be a pattern with {po} for the PO number, such as "PO {po}" or "*_{po}_*"',
});

/** The pattern of PO numbers that Cartwright makes: `{n}` differs for each file. */
const madePattern = z
  .string()
  .max(60)
  .regex(/^(?:[^{}]|\{account\}|\{day\})*\{n\}(?:[^{}]|\{account\}|\{day\})*$/, {
    error: 'must be a pattern with {n}, such as "{account}-{day}-{n}"',
  });

/** Where the PO number of a whole file is. */
const poNumberFrom = z.union(
  [
    z.strictObject({ cell: z.string().min(1) }),
    z.strictObject({ fileName: pattern }),
    z.strictObject({ sheetName: pattern }),
    z.strictObject({ made: madePattern }),
    z.strictObject({ typed: z.literal(true) }),
  ],
  {
    error:
      'must be { cell: LABEL }, { fileName: PATTERN }, { sheetName: PATTERN }, { made: PATTERN } or { typed: true }; a pattern has {po} for the PO number, such as "PO {po}" or "*_{po}_*", and one of made numbers has {n}, such as "{account}-{day}-{n}"',
  },
);
/** A workbook with a sheet of orders and a sheet of their lines. */
const join = z.strictObject({
  orders: z.string().min(1).describe('Name of the sheet of orders.'),
  lines: z.string().min(1).describe('Name of the sheet of their lines.'),
  by: z
    .union([z.string().min(1), z.strictObject({ orders: z.string().min(1), lines: z.string().min(1) })])
    .describe(
      'Column that says which lines belong to which order, by its header; `{ orders: COLUMN, lines: COLUMN }` if the sheets have different headers.',
    ),
});
const headerRows = z.union([z.literal(1), z.literal(2)]);

/** One kind of file of an account that has several. Defaults come from `intake`. */
const layout = z.strictObject({
  columns: columns.refine((map) => Object.keys(map).length > 0, { error: 'must not be empty' }),
  header: header.optional(),
  headerRows: headerRows.optional(),
  skipRows: skipRows.optional(),
  constants: constants.optional(),
  poNumberFrom: poNumberFrom.optional(),
  decimal: decimal.optional(),
  continuationRows: z.boolean().optional(),
});

/** Whether each layout of an account can set it, too. */
export const isOfLayout = (setting: string): boolean => Object.hasOwn(layout.shape, setting);

/** An account's way of writing purchase files: the `intake` part of an account in cartwright.yaml. */
export const intakeSettingsSchema = z.strictObject({
  columns: columns
    .default({})
    .describe(
      "Column mapping: from the header text of the dealer's column to a field name, or to `ignore`. It adds to the names that are recognised anyway. With `header: none`, from the column's number (1) or letter (A).",
    ),
  layouts: z
    .record(z.string().min(1).max(60), layout)
    .default({})
    .describe(
      'Further kinds of files, by a name of your choice, each with `columns` and if needed `header`, `headerRows`, `skipRows`, `constants`, `poNumberFrom`, `decimal` and `continuationRows`. The layout whose columns are all in the header is used.',
    ),
  header: header
    .default('auto')
    .describe(
      'Row of the header. `auto` finds it, also below title rows; `none` means that the file has no header.',
    ),
  headerRows: headerRows
    .default(1)
    .describe(
      'Set to 2 if the header has two rows: "Ship To" above "City" is then the column "Ship To City". `header` is the lower row.',
    ),
  skipRows: skipRows.default(0).describe('Number of rows at the top of the file to skip.'),
  constants: constants
    .default({})
    .describe('Values for fields that are blank in the file or have no column.'),
  poNumberFrom: poNumberFrom
    .optional()
    .describe(
      'Where the PO number of a whole file is if no column has it: `{ cell: LABEL }` beside or below a cell above the table, `{ fileName: PATTERN }`, or `{ sheetName: PATTERN }`; in a pattern `{po}` is the PO number and `*` anything. `{ made: PATTERN }`: Cartwright makes one for each file, such as `{account}-{day}-{n}`, the same for the same bytes. `{ typed: true }`: a person types it for each file.',
    ),
  join: join
    .optional()
    .describe(
      'For workbooks with orders in one sheet and their lines in another: `{ orders: SHEET, lines: SHEET, by: COLUMN }`. Each line gets the columns of its order. `cartwright import --join` makes such a workbook of two files.',
    ),
  sheet: z
    .union([z.string().min(1), z.int().min(1)])
    .optional()
    .describe('Name or number of the sheet to read. If not set, it is detected.'),
  delimiter: z
    .union([z.literal('tab'), z.string().regex(/^[^"\r\n\p{L}\p{N}]$/u)], {
      error: 'must be one sign, such as , ; | or tab',
    })
    .optional()
    .describe('Delimiter of CSV files: `,` `;` `|` or `tab`. If not set, it is detected.'),
  quotes: z
    .boolean()
    .default(true)
    .describe('Set to false if a " in CSV files is an ordinary character (inches).'),
  encoding: z
    .string()
    .min(1)
    .optional()
    .describe('Encoding of CSV files, and of HTML files that are not UTF-8. If not set, it is detected.'),
  decimal: decimal
    .optional()
    .describe(
      'Decimal sign of numbers; the other sign may group thousands. If not set: a point, without grouping.',
    ),
  blankMeansNo: z
    .array(z.enum(cartOptionNames as [FieldName, ...FieldName[]]))
    .default([])
    .describe(
      'Yes/no columns in which a blank cell means no. In other columns a blank cell leaves the default of the dealer.',
    ),
  continuationRows: z
    .boolean()
    .default(false)
    .describe('Set to true if an item row with a blank PO number belongs to the PO above it.'),
  itemInBrackets: z
    .boolean()
    .default(false)
    .describe(
      'Set to true if an item has its number in brackets and then a name: `FURN_1118` is ordered for `[FURN_1118] Corner Desk`. If not set, such a cell is an issue.',
    ),
  stateNames: z
    .enum(['refuse', 'convert'])
    .default('refuse')
    .describe('Set to `convert` to read names of US states and Canadian provinces in ship_state as codes.'),
  unknownLayouts: z
    .enum(['wait', 'refuse'])
    .default('wait')
    .describe(
      'What to do with a file whose meaning nobody has agreed: let it `wait` for a person, or `refuse` it, for accounts that only programs write to.',
    ),
});

/** The largest quantity that a line may have: a larger number probably comes from another column. */
export const maxQuantity = 1_000_000;

/** The account's settings, and those that the product decides for every account. */
export const intakeOptionsSchema = intakeSettingsSchema.extend({
  limits: limits.prefault({}),
});

/** @see intakeOptionsSchema */
export type IntakeOptions = z.output<typeof intakeOptionsSchema>;
