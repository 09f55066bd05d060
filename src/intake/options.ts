import { z } from 'zod';
import { maxPoNumberLength } from '../contract/carts.ts';
import { cartOptionNames, type FieldName, fieldNames } from './fields.ts';

const mib = 1024 * 1024;

/** What a file may cost. Spreadsheets are read in a child process that is ended when it costs more. */
const limits = z.strictObject({
  maxFileBytes: z
    .int()
    .min(1)
    .default(2048 * mib)
    .describe('Larger files are refused (bytes).'),
  maxSpreadsheetBytes: z
    .int()
    .min(1)
    .default(256 * mib)
    .describe('Larger XLSX, XLS, XLSB and ODS files are refused (bytes).'),
  maxInflatedBytes: z
    .int()
    .min(1)
    .default(2048 * mib)
    .describe('A workbook that unpacks to more than this is refused (bytes).'),
  maxRecordBytes: z
    .int()
    .min(100)
    .default(mib)
    .describe('A longer row is refused; mostly a quote that was never closed (bytes).'),
  maxColumns: z.int().min(1).max(16384).default(1024).describe('Cells further to the right are left out.'),
  timeoutMs: z
    .int()
    .min(1)
    .default(60_000)
    .describe('The longest that reading a spreadsheet may keep us waiting.'),
  memoryMb: z.int().min(32).default(512).describe('The most memory that reading a spreadsheet may take.'),
});

const constant = z.union([z.string(), z.number(), z.boolean()]);

/** An account's way of writing purchase files: the `intake` part of an account in cartwright.yaml. */
export const intakeOptionsSchema = z.strictObject({
  columns: z
    .record(z.string().min(1), z.enum([...fieldNames, 'ignore']))
    .default({})
    .describe(
      "Which of the dealer's columns holds which field: header text to field name, or `ignore`. With `header: none`: column number (1) or letter (A) to field name.",
    ),
  header: z
    .union([z.literal('auto'), z.literal('none'), z.int().min(1)])
    .default('auto')
    .describe(
      '`auto` finds the header under title rows; a number says its row; `none`: the file has no header.',
    ),
  skipRows: z.int().min(0).default(0).describe('Leading rows that are never looked at.'),
  constants: z
    .partialRecord(z.enum(fieldNames), constant)
    .default({})
    .describe('Values for fields that the file leaves blank or has no column for.'),
  sheet: z
    .union([z.string().min(1), z.int().min(1)])
    .optional()
    .describe('The name or number of the sheet to read.'),
  delimiter: z
    .union([z.literal('tab'), z.string().length(1)])
    .optional()
    .describe('What stands between the columns of a CSV file: `,` `;` `|` or `tab`. Left out: detected.'),
  quotes: z.boolean().default(true).describe('false: a " in a CSV file is an ordinary character (inches).'),
  encoding: z.string().min(1).optional().describe('The encoding of CSV files. Left out: detected.'),
  fallbackEncoding: z
    .string()
    .min(1)
    .default('windows-1252')
    .describe('The encoding of CSV files that are neither UTF-8 nor UTF-16.'),
  decimal: z
    .enum(['point', 'comma'])
    .optional()
    .describe(
      'The decimal sign of numbers; the other one may group thousands. Left out: a point, and no grouping.',
    ),
  yes: z.array(z.string()).default(['yes', 'y', 'true', '1', 'x']).describe('Spellings of yes, in any case.'),
  no: z.array(z.string()).default(['no', 'n', 'false', '0']).describe('Spellings of no, in any case.'),
  blankMeansNo: z
    .array(z.enum(cartOptionNames as [FieldName, ...FieldName[]]))
    .default([])
    .describe(
      'Flag columns in which a blank cell means no. Elsewhere a blank cell leaves the dealer default.',
    ),
  continuationRows: z
    .boolean()
    .default(false)
    .describe('An item row with a blank PO number belongs to the PO above it.'),
  totalsWords: z
    .array(z.string().min(1))
    .default(['total', 'totals', 'grand total', 'subtotal', 'sub total', 'sum'])
    .describe('A row that begins with one of these is a total and no order.'),
  poNumberMaxLength: z
    .int()
    .min(1)
    .max(maxPoNumberLength)
    .default(maxPoNumberLength)
    .describe('The longest PO number that the service takes.'),
  maxQuantity: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .default(1_000_000)
    .describe('A larger quantity is an issue: it is more likely a number from another column.'),
  dateLikeIdentifiers: z
    .enum(['refuse', 'keep'])
    .default('refuse')
    .describe('An identifier such as 1-Mar is mostly a SKU that a spreadsheet took for a date.'),
  lostZipZeros: z
    .enum(['refuse', 'keep'])
    .default('refuse')
    .describe('A ZIP code of 3 or 4 digits in a state whose ZIP codes begin with 0 has lost its zeros.'),
  limits: limits.prefault({}).describe('What a file may cost before it is refused.'),
});

/** @see intakeOptionsSchema */
export type IntakeOptions = z.output<typeof intakeOptionsSchema>;

/** The options of an account that says nothing. */
export const defaultIntakeOptions: IntakeOptions = intakeOptionsSchema.parse({});
