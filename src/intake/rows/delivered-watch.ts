import { headerKey } from '../columns/fields.ts';
import { readHeader } from '../columns/read-header.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { isStatus, not } from './cancelled-rows.ts';

const saysDelivered = (text: string): boolean =>
  text.length <= 60 && readHeader(text).meanings.has('done') && !not.test(text);

export interface DeliveredWatch {
  see(row: RawRow): void;
  /** One for each column that says of lines that they were delivered. */
  notes(): RowIssue[];
}

interface Seen {
  rowNumber: number;
  rows: number;
}

const mostNamed = 5;
/** The statuses of a file are few. A column of other texts must not fill the memory. */
const mostKnown = 200;

/**
 * Counts the rows whose status says that they were delivered (`Shipped`, `fulfilled`), in columns that the account does not map. They are
 * ordered all the same, and a person is told.
 */
export const createDeliveredWatch = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns' | 'header'>,
): DeliveredWatch => {
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  const watched = columns.flatMap(({ header, field }, at) =>
    field === null && options.header !== 'none' && !mapped.has(headerKey(header)) && isStatus(header)
      ? [{ header, at, delivered: new Map<string, Seen>(), others: new Set<string>() }]
      : [],
  );
  const see = ({ rowNumber, cells }: RawRow) => {
    for (const { header, at, delivered, others } of watched) {
      const text = (cells[at] ?? '').trim();
      if (text === '' || others.has(text)) continue;
      const seen = delivered.get(text);
      if (seen) seen.rows += 1;
      else if (headerKey(text) === headerKey(header) || !saysDelivered(text)) {
        if (others.size < mostKnown) others.add(text);
      } else if (delivered.size < mostKnown) delivered.set(text, { rowNumber, rows: 1 });
    }
  };
  const noteOf = (header: string, delivered: Map<string, Seen>): RowIssue => {
    const all = [...delivered];
    const [text, first] = all[0]!;
    const shown = all
      .slice(0, mostNamed)
      .map(([status, { rows }]) => `"${status}" in ${rows === 1 ? '1 row' : `${rows} rows`}`);
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
    return {
      rowNumber: first.rowNumber,
      poNumber: undefined,
      severity: 'note',
      column: header,
      code: 'status_delivered',
      message: `The column "${header}" says that lines were delivered already: ${shown.join(', ')}${more}, first in row ${first.rowNumber}. They are ordered all the same. Remove their rows if they must not be ordered; map "${header}" to ignore in intake.columns of the account if it says nothing about what to order.`,
      found: text,
      expected: undefined,
    };
  };
  return {
    see,
    notes: () =>
      watched.flatMap(({ header, delivered }) => (delivered.size === 0 ? [] : [noteOf(header, delivered)])),
  };
};
