import { z } from 'zod';
import { maxPoNumberLength } from '../contract/carts.ts';
import { cartOptionNames, type FieldName, fieldNames } from './columns/fields.ts';

const mib = 1024 * 1024;

/** Limits for reading a file. Spreadsheets are read in a child process, which is killed when it exceeds them. */
const limits = z.strictObject({
  maxFileBytes: z
    .int()
    .min(1)
    .default(2048 * mib)
    .describe('Maximum size of a file (bytes). Larger files are refused.'),
  maxSpreadsheetBytes: z
    .int()
    .min(1)
    .default(256 * mib)
    .describe('Maximum size of an XLSX, XLS, XLSB or ODS file (bytes). Larger ones are refused.'),
  maxInflatedBytes: z
    .int()
    .min(1)
    .default(2048 * mib)
    .describe('Maximum uncompressed size of a workbook (bytes). Larger ones are refused.'),
  maxRecordBytes: z
    .int()
    .min(100)
    .default(mib)
    .describe(
      'Maximum length of a CSV row (bytes). A file with a longer row is refused; usually a quote was never closed.',
    ),
  maxColumns: z
    .int()
    .min(1)
    .max(16384)
    .default(1024)
    .describe('Maximum number of columns. Cells further to the right are ignored.'),
  timeoutMs: z.int().min(1).default(60_000).describe('Maximum time to read a spreadsheet (milliseconds).'),
  memoryMb: z.int().min(32).default(512).describe('Maximum memory for reading a spreadsheet (MiB).'),
});

const constant = z.union([z.string(), z.number(), z.boolean()]);

/** An account's way of writing purchase files: the `intake` part of an account in cartwright.yaml. */
export const intakeOptionsSchema = z.strictObject({
  columns: z
    .record(z.string().min(1), z.enum([...fieldNames, 'ignore']))
    .default({})
    .describe(
      "Column mapping: from the header text of the dealer's column to a field name, or to `ignore`. With `header: none`, from the column's number (1) or letter (A).",
    ),
  header: z
    .union([z.literal('auto'), z.literal('none'), z.int().min(1)])
    .default('auto')
    .describe(
      'Row of the header. `auto` finds it, also below title rows; `none` means that the file has no header.',
    ),
  skipRows: z.int().min(0).default(0).describe('Number of rows at the top of the file to skip.'),
  constants: z
    .partialRecord(z.enum(fieldNames), constant)
    .default({})
    .describe('Values for fields that are blank in the file or have no column.'),
  sheet: z
    .union([z.string().min(1), z.int().min(1)])
    .optional()
    .describe('Name or number of the sheet to read. If not set, it is detected.'),
  delimiter: z
    .union([z.literal('tab'), z.string().length(1)])
    .optional()
    .describe('Delimiter of CSV files: `,` `;` `|` or `tab`. If not set, it is detected.'),
  quotes: z
    .boolean()
    .default(true)
    .describe('Set to false if a " in CSV files is an ordinary character (inches).'),
  encoding: z.string().min(1).optional().describe('Encoding of CSV files. If not set, it is detected.'),
  fallbackEncoding: z
    .string()
    .min(1)
    .default('windows-1252')
    .describe('Encoding of CSV files that are neither UTF-8 nor UTF-16.'),
  decimal: z
    .enum(['point', 'comma'])
    .optional()
    .describe(
      'Decimal sign of numbers; the other sign may group thousands. If not set: a point, without grouping.',
    ),
  yes: z
    .array(z.string())
    .default(['yes', 'y', 'true', '1', 'x'])
    .describe('Values that mean yes, in upper or lower case.'),
  no: z
    .array(z.string())
    .default(['no', 'n', 'false', '0'])
    .describe('Values that mean no, in upper or lower case.'),
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
  totalsWords: z
    .array(z.string().min(1))
    .default(['total', 'totals', 'grand total', 'subtotal', 'sub total', 'sum'])
    .describe('A row that begins with one of these words is skipped as a totals row.'),
  poNumberMaxLength: z
    .int()
    .min(1)
    .max(maxPoNumberLength)
    .default(maxPoNumberLength)
    .describe('Maximum length of a PO number.'),
  maxQuantity: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(1_000_000)
    .describe(
      'Maximum quantity. A larger number is an issue, because it probably comes from another column.',
    ),
  dateLikeIdentifiers: z
    .enum(['refuse', 'keep'])
    .default('refuse')
    .describe(
      'What to do with an identifier such as 1-Mar, which is usually a SKU that a spreadsheet converted to a date.',
    ),
  lostZipZeros: z
    .enum(['refuse', 'keep'])
    .default('refuse')
    .describe(
      'What to do with a ZIP code of 3 or 4 digits in a state whose ZIP codes begin with 0, because a spreadsheet removed the zeros.',
    ),
  limits: limits.prefault({}).describe('Limits for reading a file.'),
});

/** @see intakeOptionsSchema */
export type IntakeOptions = z.output<typeof intakeOptionsSchema>;
