import type { CodeLists } from '../../../contract/carts.ts';
import { FileRefused } from '../../../errors.ts';
import { shellWord } from '../../../shell-word.ts';
import { askedTable } from '../../chosen-table.ts';
import { findHeader } from '../../columns/find-header.ts';
import { findJoin } from '../../columns/find-join.ts';
import { howToNumber } from '../../columns/header-sentences.ts';
import { clearName, rankName } from '../../columns/name-ranks.ts';
import { joinTables, withoutKeys } from '../../joined-tables.ts';
import type { IntakeOptions } from '../../options.ts';
import { openSource } from '../../read-purchase-file.ts';
import type { TableSource } from '../../types.ts';
import { type ChosenHeader, chooseHeader } from './choose-header.ts';
import { proposeSheets } from './propose-sheets.ts';
import { proposeTable, proposeTwoRows } from './propose-table.ts';
import type { Proposed, ProposedMap } from './proposed-map.ts';

interface Request {
  path: string;
  fileName: string;
  options: IntakeOptions;
  codeLists: CodeLists;
  signal?: AbortSignal;
}

/** Below this width, a file without a header is a text, not a table. */
const leastWidth = 3;

/** The proposal for the one table of a source that has a header. */
const proposeOne = (
  source: TableSource,
  chosen: ChosenHeader,
  options: IntakeOptions,
  { fileName, codeLists }: Request,
): Proposed => proposeTwoRows(chosen, options, codeLists, { fileName, source });

/** The proposal for a file without a header. @throws FileRefused `no_header`, `columns_contradict_header` */
const proposeBare = (
  source: TableSource,
  options: IntakeOptions,
  { fileName, codeLists }: Request,
): Proposed => {
  const table = source.tables.find(({ head }) => head.length > 0)!;
  const width = Math.max(...table.head.map(({ cells }) => cells.length));
  const own = options.header === 'none' ? findHeader(table, options) : undefined;
  // Adding to these settings would not help.
  if (own?.kind === 'not_found' && own.code === 'columns_contradict_header')
    throw new FileRefused(own.code, own.explain(shellWord(fileName)));
  if (width < leastWidth)
    throw new FileRefused(
      'no_header',
      `No row was found that looks like a header, and there are too few columns for orders: each line needs a PO number, an item and a quantity. If the columns are separated by another sign than a comma, a semicolon, a tab or |, set intake.delimiter of the account. If each file has only one of them, set intake.header of the account to none and map its columns by number in intake.columns${howToNumber(table.head)}`,
    );
  return proposeTable({ table, header: undefined }, options, codeLists, { fileName, source });
};

const hasLines = ({ missing }: Proposed) => !missing.includes('item_sku') && !missing.includes('quantity');
const quote = (name: string | undefined) => `"${name}"`;

type Sheet = { chosen: ChosenHeader; proposed: Proposed };

/** Why a sheet cannot be used alone: another one has a better PO number, and nothing links its lines to it. */
const betterPo = ({ chosen, proposed }: Sheet, sheets: readonly Sheet[]): string | undefined => {
  const own = proposed.columns.find(({ field }) => field === 'po_number')?.header;
  if (own === undefined) return undefined;
  const rank = rankName(own).po_number;
  for (const { chosen: other } of sheets) {
    const better = other.header.cells.find(
      (cell) => rankName(cell).po_number >= Math.max(clearName, rank + 1),
    );
    if (other === chosen || better === undefined) continue;
    const [lines, orders] = [quote(chosen.table.name), quote(other.table.name)];
    return `Sheet ${lines} has the items and their quantities, and its column ${quote(own)} could be the PO number. But sheet ${orders} has a column ${quote(better.trim())}, and no column that both sheets have says which lines belong to which PO. Add the PO number to each line; or, if ${quote(own)} is the PO number, set intake.sheet of the account to ${lines}.`;
  }
  return undefined;
};

/**
 * The proposal for a workbook with headers in several sheets: the sheet of lines, joined with its sheet of orders, or all of them if each
 * is a PO. Other possible sheets are never ignored silently.
 *
 * @throws FileRefused `sheet_ambiguous`
 */
const proposeSeveral = async (
  source: TableSource,
  sheets: readonly ChosenHeader[],
  options: IntakeOptions,
  request: Request,
): Promise<Proposed> => {
  const proposals = sheets.map((chosen) => ({
    chosen,
    proposed: proposeOne(source, chosen, options, request),
  }));
  const [best] = proposals;
  const withLines = proposals.filter(({ proposed }) => hasLines(proposed));
  for (const { chosen } of withLines) {
    const others = sheets.filter(
      (sheet) => sheet !== chosen && !withLines.some((one) => one.chosen === sheet),
    );
    const found = findJoin(chosen, others);
    if (!found) continue;
    const { orders, lines } = found.by;
    const join = {
      orders: found.orders.table.name!,
      lines: chosen.table.name!,
      by: orders === lines ? lines : { orders, lines },
    };
    const joined = await joinTables(source, { join });
    const own = withoutKeys(joined, { ...options, join });
    const header = chooseHeader(joined.tables[0]!, own);
    if (!header) continue;
    const proposed = proposeOne(joined, header, own, request);
    return { ...proposed, settings: { ...proposed.settings, join } };
  }
  const named = proposeSheets(
    source,
    withLines.map(({ chosen, proposed }) => ({ ...chosen, proposed })),
    options,
    request.codeLists,
  );
  if (named) return named;
  const filled = withLines.filter(({ chosen: { table, header } }) =>
    table.head.some(({ rowNumber }) => rowNumber > header.rowNumber),
  );
  if (filled.length > 1)
    throw new FileRefused(
      'sheet_ambiguous',
      `Several sheets could hold the purchase orders: ${filled.map(({ chosen }) => quote(chosen.table.name)).join(', ')}. Set intake.sheet of the account to the name of the right one, or send one sheet per file.`,
    );
  const chosen = filled[0] ?? best!;
  const rival = betterPo(chosen, proposals);
  if (rival) throw new FileRefused('sheet_ambiguous', rival);
  return chosen.proposed;
};

/**
 * Proposes which column holds which field, by the names and the values of the columns together, with the settings that such files need and
 * the first lines as they would be ordered. Uncertain columns are marked; too doubtful ones are explained instead of proposed. Writes and
 * sends nothing.
 *
 * @see docs/decisions/062-layouts-are-agreed.md
 */
export const proposeMap = async (request: Request): Promise<ProposedMap> => {
  try {
    const source = await openSource(request);
    const options = withoutKeys(source, request.options);
    try {
      const inSheet = source.format !== 'csv';
      const tables =
        options.sheet !== undefined && inSheet && !source.combined
          ? askedTable(source.tables, options.sheet)
          : source.tables;
      if (tables.every((table) => table.head.length === 0))
        throw new FileRefused('no_rows', 'The file has no rows.');
      if (options.header === 'none') return proposeBare({ ...source, tables }, options, request);
      const sheets = tables
        .flatMap((table) => chooseHeader(table, options) ?? [])
        .toSorted((a, b) => Number(a.table.hidden) - Number(b.table.hidden) || b.score - a.score);
      const shown = sheets.filter(({ table, score }) => !table.hidden && score > 0);
      const [best] = sheets;
      if (!best) return proposeBare({ ...source, tables }, options, request);
      return shown.length > 1
        ? await proposeSeveral(source, shown, options, request)
        : proposeOne(source, best, options, request);
    } finally {
      source.close();
    }
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  }
};
