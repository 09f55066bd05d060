import { type FieldName, fields, headerKey } from '../columns/fields.ts';
import { cleanCell } from '../rows/clean-cell.ts';
import { asksNotToOrder, maySayNotToOrder, nameSaysNotToOrder } from '../rows/says-not-to-order.ts';
import type { DetectedColumn } from '../types.ts';
import { textKey, type ValueKey } from './telling-values.ts';

/** Fields whose text is sent to the service unchanged. */
const freeTexts: ReadonlySet<FieldName | null> = new Set(['note', 'comment1', 'comment2', 'description']);

/** The columns read as texts for the service. A person, not the service, has to decide about a text such as `CANCELLED`. Pure. */
export const remarkColumns = (columns: readonly DetectedColumn[]) =>
  columns.flatMap(({ header, field }, at) =>
    freeTexts.has(field) ? [{ at, header, column: headerKey(header) }] : [],
  );

/** The key of such a text: only texts that say not to order a row count; everything else equals a blank cell. Pure. */
export const remarkKey = (cell: string): ValueKey =>
  maySayNotToOrder(cell) ? textKey(cleanCell(cell, 'text').text) : '';

/** The other columns that are read as texts: whom an order goes to, and where. Some shops write CANCELLED there. Pure. */
export const recipientColumns = (columns: readonly DetectedColumn[]) =>
  columns.flatMap(({ header, field }, at) =>
    field !== null && fields[field].kind === 'text' && !freeTexts.has(field)
      ? [{ at, header, column: headerKey(header) }]
      : [],
  );

/** The same as `remarkKey` of a name or an address, in which a word suffices: `VOID - Ann`. Pure. */
export const recipientKey = (cell: string): ValueKey =>
  nameSaysNotToOrder(cell) ? textKey(cleanCell(cell, 'text').text) : '';

/** Whether a header says not to order rows: `Do not ship`, `Cancelled`. Pure. */
export const isStopHeader = (header: string): boolean => remarkKey(header) !== '';

/**
 * Whether a header is not a column name but a remark not to order: `DO NOT ORDER`, `Cancelled by Bob 11/22`. `Cancelled at` is a column
 * name. Pure.
 */
export const isRemark = (header: string): boolean =>
  isStopHeader(header) && (asksNotToOrder(header) || /\d|(?:\S+\s+){3}\S/.test(header));

/** Whether a value below such a header says not to order: X or TRUE does, a blank or "no" does not. Pure. */
export const isStopValue = (key: ValueKey): boolean => key !== '' && !/^(?:no?|false|0|-)$/i.test(key);
