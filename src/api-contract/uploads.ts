import { z } from 'zod';
import { accountName, id, orNull, time, uuid } from './basics.ts';
import { howItWasRead } from './imports.ts';
import { valueChoice } from './previews.ts';

/** A person's settings for reading a file. Omitted ones are the account's. */
export const mapping = z.strictObject({
  columns: z
    .record(z.string().max(1000), z.string().max(60))
    .optional()
    .describe('Header of the file → field, or `ignore`.'),
  constants: z
    .record(z.string().max(60), z.union([z.string().max(1000), z.number(), z.boolean()]))
    .optional()
    .describe('Field → value, for fields that are blank or have no column.'),
  sheet: z
    .union([z.string().min(1).max(200), z.int().min(1)])
    .optional()
    .describe('Name or number.'),
  headerRows: z
    .union([z.literal(1), z.literal(2)])
    .optional()
    .describe('2: the header has two rows.'),
  encoding: z.string().min(1).max(40).optional(),
  stateNames: z
    .enum(['refuse', 'convert'])
    .optional()
    .describe('convert: names of states are read as codes.'),
  itemInBrackets: z.boolean().optional().describe('An item is its number in brackets and then a name.'),
  header: z.union([z.literal('auto'), z.literal('none'), z.int().min(1)]).optional(),
  skipRows: z.int().min(0).max(1000).optional(),
  delimiter: z.union([z.literal('tab'), z.string().length(1)]).optional(),
  decimal: z.enum(['point', 'comma']).optional(),
  continuationRows: z.boolean().optional().describe('Rows without a PO number belong to the PO above.'),
  poNumberFrom: z
    .union([
      z.strictObject({ cell: z.string().min(1) }),
      z.strictObject({ fileName: z.string().min(1) }),
      z.strictObject({ sheetName: z.string().min(1) }),
      z.strictObject({ made: z.string().min(1) }),
      z.strictObject({ typed: z.literal(true) }),
    ])
    .optional()
    .describe('Where the PO number of the whole file is, if no column has it.'),
  join: z
    .strictObject({
      orders: z.string().min(1),
      lines: z.string().min(1),
      by: z.union([
        z.string().min(1),
        z.strictObject({ orders: z.string().min(1), lines: z.string().min(1) }),
      ]),
    })
    .optional()
    .describe('Sheets of orders and of their lines, and the column that joins them.'),
});
export type Mapping = z.infer<typeof mapping>;

/** One column in the mapping editor. */
export const mappedColumn = z.object({
  header: z.string(),
  field: orNull(z.string(), 'The proposed field; null: not read.'),
  certain: z.boolean().describe('False: a person has to confirm the field.'),
  why: z.string().nullable(),
  samples: z.array(z.string()).describe('Its first values.'),
});

export const fieldChoice = z.object({
  field: z.string(),
  label: z.string(),
  needed: z.boolean(),
  help: z.string(),
});

/** How a file would be read, with the mapping editor's data. */
export const proposal = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('proposed'),
    sheet: z.string().nullable(),
    headerRow: orNull(z.int(), 'Null: the file has no header.'),
    columns: z.array(mappedColumn),
    mapping: mapping.describe('The proposed settings, to be sent back changed.'),
    missing: z
      .array(z.object({ field: z.string(), why: z.string() }))
      .describe('Fields that an order needs and that were not found.'),
    poNumber: orNull(
      z.object({ value: z.string(), why: z.string(), certain: z.boolean() }),
      'The one PO number of the file, if no column has it.',
    ),
    decisions: z.array(
      z.object({ what: z.string(), decided: z.string(), why: z.string(), override: z.string().nullable() }),
    ),
    samples: z
      .array(z.unknown())
      .describe('The first rows as they would be ordered, beside the file’s own cells.'),
  }),
  z.object({
    kind: z.literal('refused'),
    code: z.string(),
    message: z.string().describe('Why the file cannot be read, and what to do.'),
  }),
]);

/** The raw content of a file, independent of its columns' meaning. */
export const rawFile = z.object({
  format: z.string(),
  sheets: z
    .array(
      z.object({
        name: orNull(z.string(), 'Null: the file has no sheets.'),
        hidden: z.boolean(),
        rows: z
          .array(z.object({ rowNumber: z.int(), cells: z.array(z.string()) }))
          .describe('The first rows that are not blank, with at most 30 cells of 80 characters.'),
      }),
    )
    .describe('At most 50.'),
});

/** How the file is read with the present mapping, before its rows are checked. */
export const reading = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), howItWasRead }),
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
]);

/** A file in the console that is not an import yet. It is deleted a day after its upload. */
export const uploadDraft = z.object({
  id: uuid,
  account: accountName,
  fileName: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  uploadedBy: z.string(),
  uploadedAt: time,
  state: z.enum(['draft', 'confirmed', 'discarded']),
  rereadOf: orNull(id, 'The import that is read again with another mapping.'),
  mapping: mapping.nullable().describe('What the person has decided; null: as the account has it.'),
  knownAs: orNull(
    z.object({ id, fileName: z.string(), takenAt: time }),
    'An import of the same bytes that was not refused: it would be a repetition.',
  ),
  importId: orNull(id, 'The import that it became; null until the file is picked up.'),
});

/** `POST /uploads?account=` (multipart, one part `file`), `POST /imports/:id/reread`, `GET /uploads/:id`, `PUT /uploads/:id/mapping`. `DELETE /uploads/:id` discards it. */
export const uploadAnswer = z.object({
  upload: uploadDraft,
  reading,
  proposal,
  file: rawFile.nullable().describe('Null: the file cannot be opened as it is set now.'),
  fields: z.array(fieldChoice).describe('Fields that a column can hold.'),
});

/** `GET /uploads`: the drafts, latest first, at most 200. */
export const uploadsAnswer = z.object({ items: z.array(uploadDraft) });
export const uploadQuery = z.object({ account: accountName });
export const uploadById = z.object({ id: uuid });

/** null: the account's settings. */
export const mappingRequest = z.strictObject({ mapping: mapping.nullable() });

/** `POST /uploads/:id/confirm`: claims the file, like a file from the folder. */
export const confirmRequest = z.strictObject({
  as: z.enum(['order', 'quote']).describe('quote: prices and stock are asked for, nothing is ordered.'),
  expectedPos: z
    .int()
    .optional()
    .describe(
      'Ready POs of the preview that the person saw. 409 where the file would now give another number.',
    ),
  note: z.string().trim().max(500).optional(),
  values: z
    .array(valueChoice)
    .max(1000)
    .optional()
    .describe(
      'What to do with rows that have a value of a column that is not read; by default they are ordered.',
    ),
  layoutName: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .describe('What files with this header are called from now on; by default after this file.'),
});
export const confirmAnswer = z.object({
  sentence: z.string(),
  upload: uploadDraft,
});

export type UploadDraft = z.infer<typeof uploadDraft>;
export type UploadsAnswer = z.infer<typeof uploadsAnswer>;
export type UploadAnswer = z.infer<typeof uploadAnswer>;
export type RawFile = z.infer<typeof rawFile>;
export type ConfirmAnswer = z.infer<typeof confirmAnswer>;
