import { headerTexts } from '../columns/header-rows.ts';
import type { IntakeOptions } from '../options.ts';
import type { RawRow, Table } from '../types.ts';
import type { Layout } from './layout.ts';
import { headerNames, keyWithoutHeader, layoutKey } from './layout-key.ts';
import { optionsOfLayout } from './layout-settings.ts';

export interface MatchedLayout {
  layout: Layout;
  /** The settings by which the file is read. */
  options: IntakeOptions;
}

/** The row of a table whose names are those of the layout. */
const findRow = ({ head }: Pick<Table, 'head'>, layout: Layout): RawRow | undefined => {
  const { headerRows = 1, skipRows = 0 } = layout.settings;
  const count = headerNames(layout.header).length;
  return head.find((row) => {
    if (row.rowNumber <= skipRows) return false;
    const texts = headerTexts(head, row, { headerRows });
    return headerNames(texts).length === count && layoutKey(texts) === layout.headerKey;
  });
};

const quantityOf = ({ settings }: Layout): number =>
  Number(Object.entries(settings.columns ?? {}).find(([, field]) => field === 'quantity')?.[0]) - 1;

/** Whether a file without a header can be one of the layout: as many columns, and the first row has a quantity. */
const beginsWithLine = ({ head }: Pick<Table, 'head'>, layout: Layout): boolean => {
  const rows = head.filter(({ rowNumber }) => rowNumber > (layout.settings.skipRows ?? 0));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (keyWithoutHeader(width) !== layout.headerKey) return false;
  const at = quantityOf(layout);
  return Number.isNaN(at) || /^\d+(?:[.,]0+)?$/.test(rows[0]?.cells[at]?.trim() ?? '');
};

/**
 * The layout whose header one of the tables has: the same names in any order. A layout of files without a header fits a table that has as
 * many columns and begins with a line. Pure.
 */
export const matchLayout = (
  tables: readonly Pick<Table, 'head' | 'hidden'>[],
  layouts: readonly Layout[],
  account: IntakeOptions,
): MatchedLayout | undefined => {
  const shown = tables.filter(({ hidden }) => !hidden);
  for (const layout of layouts.filter(({ settings }) => settings.header !== 'none')) {
    const rows = shown.flatMap((table) => findRow(table, layout) ?? []);
    const [row] = rows;
    if (!row) continue;
    const options = optionsOfLayout(account, layout.settings);
    // In several sheets it may be in another row of each.
    return { layout, options: rows.length === 1 ? { ...options, header: row.rowNumber } : options };
  }
  const bare = layouts.find(
    (layout) => layout.settings.header === 'none' && shown.some((table) => beginsWithLine(table, layout)),
  );
  return bare && { layout: bare, options: optionsOfLayout(account, bare.settings) };
};
