import type { CodeLists } from '../../../contract/carts.ts';
import type { IntakeOptions } from '../../options.ts';
import { stackSheets } from '../../stacked-sheets.ts';
import type { Table, TableSource } from '../../types.ts';
import { chooseHeader } from './choose-header.ts';
import { patternOfSheets } from './propose-po-source.ts';
import { proposeTable } from './propose-table.ts';
import type { Proposed } from './proposed-map.ts';

/**
 * The proposal for several sheets with lines, each named after its PO. Undefined if they are not.
 *
 * @throws FileRefused with the codes of `stackSheets`, if they cannot be stacked
 */
export const proposeSheets = (
  source: TableSource,
  sheets: readonly { table: Table; proposed: Proposed }[],
  options: IntakeOptions,
  lists: CodeLists,
): Proposed | undefined => {
  const [first] = sheets;
  if (!first || sheets.length < 2 || options.poNumberFrom) return undefined;
  const hasPo = ({ proposed }: (typeof sheets)[number]) =>
    proposed.columns.some(({ field }) => field === 'po_number');
  const sheetName = patternOfSheets(sheets.map(({ table }) => table.name ?? ''));
  if (sheetName === undefined || sheets.some(hasPo)) return undefined;
  const { map, settings, columns, doubts } = first.proposed;
  const from = { sheetName };
  const own: IntakeOptions = {
    ...options,
    ...settings,
    columns: { ...options.columns, ...map },
    poNumberFrom: from,
  };
  const stacked = stackSheets(source, own);
  const header = chooseHeader(stacked.tables[0]!, own);
  if (stacked.combined?.kind !== 'stacked' || !header) return undefined;
  const whole = proposeTable(header, own, lists, { fileName: '', source: stacked });
  const poNumbers = stacked.combined.sheets.map(({ poNumber }) => poNumber);
  const { po_number: _, ...otherDoubts } = doubts;
  return {
    ...first.proposed,
    columns,
    settings: { ...settings, poNumberFrom: from },
    poSource: {
      from,
      poNumber: poNumbers[0]!,
      why: `in the name of its sheet, and each of ${poNumbers.length} sheets would be a PO: ${poNumbers.slice(0, 8).join(', ')}${poNumbers.length > 8 ? ', …' : ''}`,
      certain: false,
    },
    missing: first.proposed.missing.filter((field) => field !== 'po_number'),
    doubts: otherDoubts,
    // Drops the PO number that stacking put before the cells.
    samples: whole.samples.map((sample) => ({ ...sample, cells: sample.cells.slice(1) })),
  };
};
