import { columnAt } from '../../column-letters.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn } from '../types.ts';
import { sayField } from './field-words.ts';
import { type FieldName, fieldNames, fieldOfHeader, headerKey, requiredInFile } from './fields.ts';
import { readHeader } from './read-header.ts';

export type ColumnOptions = Pick<IntakeOptions, 'columns' | 'constants' | 'poNumberFrom'>;

/** The result of reading a row as the header. */
export type HeaderMatch =
  | { kind: 'complete'; columns: DetectedColumn[]; matched: number; unused: string[] }
  /** `choosable`: the columns can be told apart by name. */
  | { kind: 'ambiguous'; columns: DetectedColumn[]; matched: number; message: string; choosable: boolean }
  | { kind: 'incomplete'; columns: DetectedColumn[]; matched: number; missing: FieldName[][] };

const mostNamed = 4;
const quote = (text: string) => `"${text.slice(0, 40)}"`;
const quoted = (texts: string[]) =>
  [
    ...texts.slice(0, mostNamed).map(quote),
    ...(texts.length > mostNamed ? [`${texts.length - mostNamed} more`] : []),
  ].join(' and ');

/** The account's mapping of a header; undefined: none. An exact name takes precedence over one that differs in case or punctuation. */
export const ownFieldBy = (
  columns: ColumnOptions['columns'],
): ((header: string) => FieldName | 'ignore' | undefined) => {
  const all = Object.entries(columns);
  const byKey = new Map(all.map(([name, field]) => [headerKey(name), field]));
  const exact = new Map(all.map(([name, field]) => [name.trim(), field]));
  return (header) => exact.get(header.trim()) ?? byKey.get(headerKey(header));
};

/**
 * Maps the headers of a row by intake.columns of the account first, then by API names and aliases. A name of the account is added to the
 * recognised ones; it takes precedence over the others of its field only if it is in the row.
 */
const fieldBy = ({ columns }: ColumnOptions, keys: ReadonlySet<string>) => {
  const taken = new Set<string>(
    Object.entries(columns).flatMap(([name, field]) => (keys.has(headerKey(name)) ? [field] : [])),
  );
  const ownField = ownFieldBy(columns);
  return (header: string): FieldName | null => {
    const own = ownField(header);
    if (own !== undefined) return own === 'ignore' ? null : own;
    const field = fieldOfHeader(header);
    return field === undefined || taken.has(field) ? null : field;
  };
};

const judge = (columns: DetectedColumn[], options: ColumnOptions, unused: string[]): HeaderMatch => {
  const byField = new Map<FieldName, string[]>();
  for (const column of columns) {
    if (column.field) byField.set(column.field, [...(byField.get(column.field) ?? []), column.header]);
  }
  const matched = byField.size;
  const twice = fieldNames.find((field) => (byField.get(field)?.length ?? 0) > 1);
  if (twice) {
    const headers = byField.get(twice)!;
    const same = headers.every((header) => header === headers[0]);
    const message = same
      ? `${headers.length} columns are named ${quote(headers[0]!)}, and all of them mean the ${sayField(twice)}. Rename or remove all but one.`
      : `The columns ${quoted(headers)} ${headers.length === 2 ? 'both' : 'all'} mean the ${sayField(twice)}. Map one of them to ${twice} in intake.columns of the account, and map the others to ignore.`;
    return { kind: 'ambiguous', columns, matched, message, choosable: !same };
  }
  const has = (field: FieldName) =>
    byField.has(field) ||
    options.constants[field] !== undefined ||
    (field === 'po_number' && options.poNumberFrom !== undefined);
  const missing = requiredInFile.filter((names) => !names.some(has));
  if (missing.length > 0) return { kind: 'incomplete', columns, matched, missing };
  return { kind: 'complete', columns, matched, unused };
};

/** Reads a row as the header and maps its columns to fields, ignoring case, spaces, punctuation and byte order mark. Pure. */
export const matchHeader = (cells: readonly string[], options: ColumnOptions): HeaderMatch => {
  const keys = new Set(cells.map(headerKey));
  const fieldOf = fieldBy(options, keys);
  const columns = cells.map((cell, at): DetectedColumn => {
    const header = cell.replace(/^\ufeff/, '').trim();
    return header === '' ? { header: `column ${at + 1}`, field: null } : { header, field: fieldOf(header) };
  });
  return judge(
    columns,
    options,
    Object.keys(options.columns).filter((header) => !keys.has(headerKey(header))),
  );
};

/** The position, from 0, of a column named `3`, `C` or `column 3`. Pure. */
export const positionOf = (name: string): number | undefined => {
  const number = /^(?:column )?([0-9]{1,5})$/i.exec(name)?.[1];
  if (number !== undefined) return Number(number) - 1;
  return /^[a-z]{1,3}$/i.test(name) ? columnAt(name) : undefined;
};

/**
 * The names in `intake.columns` that are headers and not column numbers or letters (`PO Number`, also `PO` and `Qty`, which would be
 * columns far beyond this file). Pure.
 */
export const headersAmong = (width: number, { columns }: Pick<ColumnOptions, 'columns'>): string[] =>
  Object.keys(columns).filter((name) => {
    const at = positionOf(name);
    if (at === undefined) return true;
    return at >= width && /^[a-z]{2,3}$/i.test(name) && readHeader(name).meanings.size > 0;
  });

/** The columns of a file without a header, by number or letter (`header: none`). Pure. */
export const columnsByPosition = (width: number, options: ColumnOptions): HeaderMatch => {
  const columns = Array.from(
    { length: width },
    (_, at): DetectedColumn => ({ header: `column ${at + 1}`, field: null }),
  );
  const unused: string[] = [];
  for (const [name, field] of Object.entries(options.columns)) {
    const at = positionOf(name);
    const column = at === undefined ? undefined : columns[at];
    if (!column) unused.push(name);
    else column.field = field === 'ignore' ? null : field;
  }
  return judge(columns, options, unused);
};

/** The mapping in words: `"Qty" → quantity, …; ignored …`. */
export const explainColumns = (columns: readonly DetectedColumn[]): string => {
  const known = columns
    .filter((column) => column.field)
    .map((column) => `"${column.header}" → ${column.field}`);
  const unknown = columns.filter((column) => !column.field).map((column) => `"${column.header}"`);
  return `${known.join(', ')}${unknown.length > 0 ? `; ignored (copied to the result file only): ${unknown.join(', ')}` : ''}`;
};
