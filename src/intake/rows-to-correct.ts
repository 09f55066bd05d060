import type { Refused } from '../errors.ts';
import { bareFieldOf, type FieldName, fieldOfHeader, headerKey, holdsNumber } from './columns/fields.ts';
import type { FileMapping } from './file-mapping.ts';
import type { CorrectedRows, FileReading } from './file-reading.ts';
import { ignoredKeys } from './layouts/descriptive-names.ts';
import type { Layout } from './layouts/layout.ts';
import { asLayout } from './layouts/layout-settings.ts';
import type { IntakeOptions } from './options.ts';
import { isAnswerHeader } from './own-columns.ts';
import { type PurchaseFile, readPurchaseFile } from './read-purchase-file.ts';
import { cleanCell } from './rows/clean-cell.ts';
import { isEitherNumber } from './rows/number-text.ts';
import { canHoldNumbers, type DetectedColumn, type Detection, type RawRow } from './types.ts';

export interface RowToCorrect {
  /** The row number in the original file. */
  rowNumber: number;
  /** One per column. */
  cells: string[];
}

/** Rows of a file as a table of text that can be read again like the file, whatever its format. */
export interface RowsToCorrect extends CorrectedRows {
  detection: Detection;
  columns: DetectedColumn[];
  rows: RowToCorrect[];
}

/** The rows to read. */
export interface WantedRows {
  /** Lines and rows with issues, each with its PO. */
  rows: ReadonlyMap<number, string | undefined>;
  poNumbers: ReadonlySet<string>;
}

interface NamedColumn extends DetectedColumn {
  /** Position in the file; undefined: the file has no such column. */
  at: number | undefined;
}

/** A name for a column without one; not in the form of a detection, because the column has a name now. */
const nameOf = ({ header }: DetectedColumn): string => header.replace(/^column (\d+)$/, 'Column $1');

/** Makes the names of the read columns unique. */
const withOwnNames = (columns: readonly NamedColumn[]): NamedColumn[] => {
  const taken = new Set<string>();
  const keyOf = (header: string) => headerKey(header) || header;
  return columns.map((column) => {
    const isShared = columns.some(
      (other) =>
        other !== column && keyOf(other.header) === keyOf(column.header) && (other.field ?? column.field),
    );
    let { header } = column;
    for (let nth = 2; isShared && taken.has(keyOf(header)); nth += 1) header = `${column.header} (${nth})`;
    taken.add(keyOf(header));
    return { ...column, header };
  });
};

const columnsOf = (detected: readonly DetectedColumn[], width: number): NamedColumn[] => {
  const own = detected.flatMap((column, at): NamedColumn[] =>
    isAnswerHeader(column.header) ? [] : [{ header: nameOf(column), field: column.field, at }],
  );
  // Columns beyond the header, for longer rows.
  for (let at = detected.length; at < width; at += 1)
    own.push({ header: `Column ${at + 1}`, field: null, at });
  const hasPo = own.some(({ field }) => field === 'po_number');
  return withOwnNames(hasPo ? own : [{ header: 'PO Number', field: 'po_number', at: undefined }, ...own]);
};

/** The text of a cell that means the same where every cell is text. */
const createCellText = ({ format }: Detection, { decimal }: IntakeOptions) => {
  const inSheet = canHoldNumbers(format);
  return ({ cells, annotations }: RawRow, { field, at }: NamedColumn): string => {
    if (at === undefined) return '';
    const raw = cells[at] ?? '';
    if (field === null || !holdsNumber(field)) return raw;
    const text = annotations?.find(({ column }) => column === at)?.number ?? raw;
    // Numeric cells always have a point; texts use the account's decimal sign.
    return inSheet &&
      decimal === 'comma' &&
      /^\d+\.\d+$/.test(text) &&
      !isEitherNumber(text, { decimal, inSheet })
      ? text.replace('.', ',')
      : text;
  };
};

const settingsOf = (columns: readonly NamedColumn[], options: IntakeOptions): FileMapping => {
  const ignored = ignoredKeys(options.columns);
  const isDecided = (header: string) =>
    fieldOfHeader(header) !== undefined ||
    bareFieldOf(header) !== undefined ||
    ignored.has(headerKey(header));
  const { constants, decimal, continuationRows, itemInBrackets, stateNames } = options;
  return {
    columns: Object.fromEntries(
      columns.flatMap(({ header, field }): [string, FieldName | 'ignore'][] =>
        field !== null ? [[header, field]] : isDecided(header) ? [[header, 'ignore']] : [],
      ),
    ),
    header: 1,
    delimiter: ',',
    constants,
    ...(decimal === undefined ? {} : { decimal }),
    ...{ continuationRows, itemInBrackets, stateNames },
  };
};

/**
 * Reads rows of an earlier file, by its present settings, for a person to correct them. A PO number from elsewhere in the file gets a
 * column of its own.
 *
 * @param file.headerKey for a file that itself has corrected rows
 */
export const readRowsToCorrect = async (
  file: Omit<PurchaseFile, 'detection' | 'options' | 'isMapped'> &
    FileReading & { layouts: readonly Layout[] },
  { rows: wanted, poNumbers }: WantedRows,
): Promise<({ kind: 'opened' } & RowsToCorrect) | Refused> => {
  const opened = await readPurchaseFile(file);
  if (opened.kind === 'refused') return opened;
  const { detection, options } = opened;
  const last = Math.max(0, ...wanted.keys());
  const poAt = detection.columns.findIndex(({ field }) => field === 'po_number');
  const numberIn = ({ cells }: RawRow) => cleanCell(cells[poAt] ?? '', 'identifier').text;
  // An order's row above its lines is not a line.
  const isHeading = (row: RawRow) => options.continuationRows && poAt >= 0 && poNumbers.has(numberIn(row));
  const found: RawRow[] = [];
  try {
    for await (const batch of opened.batches) {
      file.signal?.throwIfAborted();
      found.push(...batch.filter((row) => wanted.has(row.rowNumber) || isHeading(row)));
      if ((batch.at(-1)?.rowNumber ?? 0) >= last) break;
    }
  } finally {
    opened.close();
  }
  const lengthOf = ({ cells }: RawRow) => cells.findLastIndex((cell) => cell.trim() !== '') + 1;
  const columns = columnsOf(detection.columns, Math.max(0, ...found.map(lengthOf)));
  const textOf = createCellText(detection, options);
  const cellOf = (row: RawRow, column: NamedColumn): string => {
    const text = textOf(row, column);
    // Its PO number is above it in the file, or outside the table.
    return column.field === 'po_number' && text.trim() === '' ? (wanted.get(row.rowNumber) ?? text) : text;
  };
  return {
    kind: 'opened',
    detection,
    columns: columns.map(({ header, field }) => ({ header, field })),
    rows: found.map((row) => ({
      rowNumber: row.rowNumber,
      cells: columns.map((column) => cellOf(row, column)),
    })),
    settings: settingsOf(columns, options),
    headerKey: file.headerKey ?? asLayout(detection, options).headerKey,
  };
};
