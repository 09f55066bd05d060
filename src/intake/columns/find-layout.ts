import { given } from '../file-mapping.ts';
import type { IntakeOptions } from '../options.ts';
import { listed, quoted } from '../quoted.ts';
import type { Decision, RawRow, Table } from '../types.ts';
import { headerKey } from './fields.ts';
import { findHeader, type HeaderSearch } from './find-header.ts';
import { headerTexts } from './header-rows.ts';

export interface LayoutSearch {
  search: HeaderSearch;
  /** The account's settings overridden by those of the layout, for the rows below the header. */
  options: IntakeOptions;
}

interface Layout {
  name: string;
  /** Its own columns, without those of the account. */
  names: string[];
  options: IntakeOptions;
}

const override = 'intake.layouts';
const mostNamed = 5;
const list = (names: readonly string[]) => listed(names.map(quoted), mostNamed);

const layoutsOf = (options: IntakeOptions): Layout[] =>
  Object.entries(options.layouts).map(([name, layout]) => {
    // Columns by position and columns by header text are not mixed: a header "B" is not the second column.
    const mixed = (layout.header === 'none') !== (options.header === 'none');
    return {
      name,
      names: Object.keys(layout.columns),
      options: {
        ...options,
        ...(mixed && layout.header === undefined ? { header: 'auto' as const } : {}),
        ...given(layout),
        columns: { ...(mixed ? {} : options.columns), ...layout.columns },
        constants: { ...options.constants, ...layout.constants },
      },
    };
  });

/** Whether one of the first rows has all columns of the layout. */
const isInHeader = ({ names, options }: Layout, rows: readonly RawRow[]): boolean =>
  rows
    .filter(({ rowNumber }) => rowNumber > options.skipRows)
    .filter(({ rowNumber }) => options.header === 'auto' || options.header === rowNumber)
    .some((row) => {
      const keys = new Set(headerTexts(rows, row, options).map(headerKey));
      return names.every((name) => keys.has(headerKey(name)));
    });

/** Whether the first row can be a line, so that an unrecognised header is never read as a line. */
const beginsWithLine = ({ options }: Layout, rows: readonly RawRow[], search: HeaderSearch): boolean => {
  if (search.kind !== 'found') return false;
  const first = rows.find(({ rowNumber }) => rowNumber > options.skipRows);
  const at = search.header.columns.findIndex(({ field }) => field === 'quantity');
  return at < 0 || /^\d+(?:[.,]0+)?$/.test(first?.cells[at]?.trim() ?? '');
};

const withDecision = (search: HeaderSearch, decided: string, why: string): HeaderSearch => {
  if (search.kind !== 'found') return search;
  const decision: Decision = { what: 'layout', decided, why, override };
  return { kind: 'found', header: { ...search.header, decisions: [decision, ...search.header.decisions] } };
};

const refuseSeveral = (options: IntakeOptions, fits: readonly Layout[], matched: number): LayoutSearch => ({
  options,
  search: {
    kind: 'not_found',
    code: 'layout_ambiguous',
    explain: () =>
      `Several layouts of the account fit this file: ${list(fits.map(({ name }) => name))} (intake.layouts). Add a column to one of them that only its files have; it may be mapped to ignore.`,
    matched,
  },
});

/**
 * Finds the header, and the layout of the account that it belongs to: the one whose own columns are all in the header. Otherwise tries the
 * account's own columns, then the layouts without a header. Refuses several matches. Pure.
 *
 * @see docs/purchase-files.md#layouts
 */
export const findLayout = (table: Pick<Table, 'head'>, options: IntakeOptions): LayoutSearch => {
  const layouts = layoutsOf(options);
  const rows = table.head;
  const fits = layouts.filter((layout) => layout.options.header !== 'none' && isInHeader(layout, rows));
  const [fit] = fits;
  if (fit) {
    const search = findHeader(table, fit.options);
    const matched = search.kind === 'found' ? search.header.matched : search.matched;
    if (fits.length > 1) return refuseSeveral(options, fits, matched);
    const why = `the header has all of its columns: ${list(fit.names)}`;
    return { search: withDecision(search, fit.name, why), options: fit.options };
  }
  const own = findHeader(table, options);
  if (layouts.length === 0 || (own.kind === 'found' && options.header !== 'none')) {
    return {
      search:
        layouts.length === 0
          ? own
          : withDecision(own, 'none', 'no layout has all of its columns in the header'),
      options,
    };
  }
  const bare = [
    ...(own.kind === 'found' ? [{ name: 'intake.columns', names: [], options }] : []),
    ...layouts.filter(({ options: { header } }) => header === 'none'),
  ].flatMap((layout) => {
    const search = findHeader(table, layout.options);
    return beginsWithLine(layout, rows, search) ? [{ layout, search }] : [];
  });
  if (bare.length > 1) {
    const layoutsThatFit = bare.map(({ layout }) => layout);
    return refuseSeveral(options, layoutsThatFit, 0);
  }
  const [only] = bare;
  if (only) {
    const why = 'no header was found, and the first row is a line of this layout';
    return { search: withDecision(only.search, only.layout.name, why), options: only.layout.options };
  }
  if (own.kind === 'found') return { search: own, options };
  for (const layout of layouts.filter(({ options: { header } }) => header === 'none')) {
    const search = findHeader(table, layout.options);
    if (search.kind === 'found' || search.code !== 'columns_contradict_header') continue;
    const explain = (file: string) =>
      `${own.explain(file)} Layout "${layout.name}" does not fit either. ${search.explain(file)}`;
    return { search: { ...own, explain }, options };
  }
  const others = `None of the layouts fits either: ${list(layouts.map(({ name }) => name))} (intake.layouts).`;
  return { search: { ...own, explain: (file) => `${own.explain(file)} ${others}` }, options };
};
