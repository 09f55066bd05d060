import type { FieldName } from '../columns/fields.ts';
import { addressPartOf } from '../columns/whose-address.ts';
import type { ColumnNote, FileColumns } from './create-column-notes.ts';

const partsOf = new WeakMap<FileColumns, { header: string; field: FieldName }[]>();

/** A hostile header must not cost time. */
const mostColumns = 200;

/** The columns of an address that nobody reads. None where a code of an address says all of it. */
const notRead = (file: FileColumns): { header: string; field: FieldName }[] => {
  const known = partsOf.get(file);
  if (known) return known;
  const read = new Set<string | null>([
    ...Object.keys(file.constants),
    ...file.all.map(({ field }) => field),
  ]);
  const found = file.unread.slice(0, mostColumns).flatMap(({ header }) => {
    const field = addressPartOf(header);
    return field === undefined || read.has(field) || read.has('ship_to') ? [] : [{ header, field }];
  });
  partsOf.set(file, found);
  return found;
};

/** `Delivery Street`, `Delivery Postcode`, which are not read. Told once, with the first of them. */
export const addressPart: ColumnNote = {
  code: 'address_not_read',
  about: 'unread',
  readerOf: ({ header }, file) => (notRead(file)[0]?.header === header ? () => true : undefined),
  message: ({ file }) => {
    const parts = notRead(file);
    const named = parts.map(({ header, field }) => `"${header.slice(0, 40)}" (${field})`).join(', ');
    return `${named} ${parts.length === 1 ? 'seems' : 'seem'} to be of the address to ship to, but the account does not read ${parts.length === 1 ? 'it' : 'them'}. Orders go where the other columns, or the service for this account, say. Map them to these fields in intake.columns of the account, or to ignore.`;
  },
};

const isVital = (field: FieldName | null | undefined) =>
  field === 'po_number' || field === 'item_sku' || field === 'item_id' || field === 'quantity';

/** Values to the right of the item or the quantity below a blank header, as a merged header has them. */
export const unnamed: ColumnNote = {
  code: 'column_without_name',
  about: 'unread',
  readerOf: (column, { all }) => {
    const at = Number(/^column (\d+)$/.exec(column.header)?.[1] ?? 0) - 1;
    return at > 0 && all[at] === column && isVital(all[at - 1]?.field) ? () => true : undefined;
  },
  message: ({ header, shown }) =>
    `The header has no name for ${header}, which has values: ${shown}. They are not read. If they belong to the column before it, put both into one column; otherwise give the column a name.`,
};
