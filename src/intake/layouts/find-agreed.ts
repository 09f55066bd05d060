import { FileRefused } from '../../errors.ts';
import { headerTexts } from '../columns/header-rows.ts';
import { joinTables } from '../joined-tables.ts';
import type { IntakeOptions } from '../options.ts';
import type { RawRow, Table, TableSource } from '../types.ts';
import type { Layout } from './layout.ts';
import { headerNames, keyWithoutHeader, layoutKey } from './layout-key.ts';
import { optionsOfLayout } from './layout-settings.ts';

interface MatchedLayout {
  layout: Layout;
  /** The settings by which the file is read. */
  options: IntakeOptions;
}

/** The row of a table with the layout's header. */
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

/** Whether a file without a header can belong to the layout: same number of columns, and a quantity in the first row. */
const beginsWithLine = ({ head }: Pick<Table, 'head'>, layout: Layout): boolean => {
  const rows = head.filter(({ rowNumber }) => rowNumber > (layout.settings.skipRows ?? 0));
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  if (keyWithoutHeader(width) !== layout.headerKey) return false;
  const at = quantityOf(layout);
  return Number.isNaN(at) || /^\d+(?:[.,]0+)?$/.test(rows[0]?.cells[at]?.trim() ?? '');
};

/**
 * The layout whose header one of the tables has: the same names in any order. A layout without a header matches a table with as many
 * columns that begins with a line. Pure.
 */
const matchLayout = (
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
    // With several sheets, the header row may differ per sheet.
    return { layout, options: rows.length === 1 ? { ...options, header: row.rowNumber } : options };
  }
  const bare = layouts.find(
    (layout) => layout.settings.header === 'none' && shown.some((table) => beginsWithLine(table, layout)),
  );
  return bare && { layout: bare, options: optionsOfLayout(account, bare.settings) };
};

/** The settings needed to split a file into tables, before its headers can be compared. */
const openingOf = ({ delimiter, encoding, join }: IntakeOptions): string =>
  JSON.stringify([delimiter ?? null, encoding ?? null, join ?? null]);

/** The tables whose headers are compared: with a join, the joined one. */
const joinedTables = async (source: TableSource, { join }: IntakeOptions) =>
  join === undefined ? source.tables : (await joinTables(source, { join })).tables;

/**
 * Finds the layout of a file. For layouts with their own separator, encoding or join, opens the file with those settings.
 *
 * @param open opens the file with these settings
 * @returns the layout and the open file; undefined if no layout matches or the file cannot be opened
 */
export const findAgreed = async <F extends { options: IntakeOptions }>(
  file: F,
  layouts: readonly Layout[],
  open: (file: F) => Promise<TableSource>,
): Promise<(MatchedLayout & { source: TableSource }) | undefined> => {
  const account = file.options;
  const openings = new Map<string, { options: IntakeOptions; layouts: Layout[] }>();
  for (const layout of layouts) {
    const options = optionsOfLayout(account, layout.settings);
    const opening = openings.get(openingOf(options)) ?? { options, layouts: [] };
    opening.layouts.push(layout);
    openings.set(openingOf(options), opening);
  }
  for (const opening of openings.values()) {
    try {
      const source = await open({ ...file, options: opening.options });
      const matched = matchLayout(await joinedTables(source, opening.options), opening.layouts, account);
      if (matched && opening.options.join === undefined) return { ...matched, source };
      source.close();
      // Reading the joined columns consumed the rows, which can be read only once.
      if (matched) return { ...matched, source: await open({ ...file, options: opening.options }) };
    } catch (error) {
      // Another layout may still match; if none does, opening it by the account's settings reports the reason.
      if (!(error instanceof FileRefused)) throw error;
    }
  }
  return undefined;
};
