import { type FieldName, headerKey } from '../columns/fields.ts';
import { cleanCell } from '../rows/clean-cell.ts';
import { asksNotToOrder, maySayNotToOrder } from '../rows/says-not-to-order.ts';
import type { DetectedColumn } from '../types.ts';
import { textKey, type ValueKey } from './telling-values.ts';

/** Fields whose text goes to the service as it is. */
const freeTexts: ReadonlySet<FieldName | null> = new Set(['note', 'comment1', 'comment2', 'description']);

/**
 * The columns of a file that are read as texts for the service. A text such as `CANCELLED` is not for the service to read, but for a person to
 * decide about. Pure.
 */
export const remarkColumns = (columns: readonly DetectedColumn[]) =>
  columns.flatMap(({ header, field }, at) =>
    freeTexts.has(field) ? [{ at, header, column: headerKey(header) }] : [],
  );

/** By what such texts are compared: only what says that a row is not to be ordered; everything else is like a blank cell. Pure. */
export const remarkKey = (cell: string): ValueKey =>
  maySayNotToOrder(cell) ? textKey(cleanCell(cell, 'text').text) : '';

/** Whether a header says that rows are not to be ordered: `Do not ship`, `Cancelled`. Pure. */
export const isStopHeader = (header: string): boolean => remarkKey(header) !== '';

/**
 * Whether a header does not name a column, but says of an order that it is not to be ordered: `DO NOT ORDER`, `Cancelled by Bob 11/22`.
 * `Cancelled at` names a column. Pure.
 */
export const isRemark = (header: string): boolean =>
  isStopHeader(header) && (asksNotToOrder(header) || /\d|(?:\S+\s+){3}\S/.test(header));

/** Whether a value below such a header says so: a bare X or TRUE does, a blank cell and a no do not. Pure. */
export const isStopValue = (key: ValueKey): boolean => key !== '' && !/^(?:no?|false|0|-)$/i.test(key);
