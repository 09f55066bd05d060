import type { CorrectedRow } from '../../api-contract/corrections.ts';
import type { CorrectedPo } from '../../ledger/console/confirm-corrections.ts';
import type { ChangedCell, ChangedRow } from '../../ledger/console/corrections.ts';
import { firstRow } from './check-correction.ts';
import { columnAt, type OpenedCorrection } from './open-correction.ts';

/** A row of the new import, with its PO. */
export interface KeptRow extends CorrectedRow {
  poNumber: string;
}

/** The POs whose rows are all included. Pure. @param given all rows of the grid */
export const correctedPos = (
  { purchaseOrders, ledgerRows, columns, rows }: OpenedCorrection,
  given: readonly CorrectedRow[],
  kept: readonly KeptRow[],
): CorrectedPo[] => {
  const there = new Set(given.map(({ rowNumber }) => rowNumber));
  const becomes = new Map(kept.map(({ rowNumber, poNumber }) => [rowNumber, poNumber]));
  const poAt = columnAt(columns, 'po_number')!;
  return purchaseOrders.flatMap(({ id, poNumber }) => {
    const own = rows.filter(
      ({ rowNumber, cells }) => (ledgerRows.get(rowNumber)?.poNumber ?? cells[poAt]?.trim()) === poNumber,
    );
    const present = own.filter(({ rowNumber }) => there.has(rowNumber));
    const now = present.flatMap(({ rowNumber }) => becomes.get(rowNumber) ?? []);
    return now.length > 0 && now.length === present.length ? [{ id, poNumber: now[0]! }] : [];
  });
};

/**
 * A person's changes to the rows of the new import, in order, including rows removed from its POs. Pure.
 *
 * @param given all rows of the grid
 */
export const listChanges = (
  opened: OpenedCorrection,
  given: readonly CorrectedRow[],
  kept: readonly KeptRow[],
): ChangedRow[] => {
  const { columns, rows, ledgerRows } = opened;
  const headerAt = (at: number) => columns[at]!.header;
  const before = new Map(rows.map((row) => [row.rowNumber, row.cells]));
  const changed = kept.flatMap((row, place): ChangedRow[] => {
    const was = row.rowNumber === null ? undefined : before.get(row.rowNumber);
    const cells = row.cells.flatMap((after, at): ChangedCell[] => {
      const text = was?.[at] ?? '';
      return text !== after || row.accepted?.includes(at)
        ? [{ column: headerAt(at), before: text, after }]
        : [];
    });
    if (cells.length === 0) return [];
    const { rowNumber, poNumber } = row;
    return [
      {
        kind: was ? 'changed' : 'added',
        poNumber,
        rowNumber,
        newRowNumber: place + firstRow,
        cells,
      },
    ];
  });
  const there = new Set(given.map(({ rowNumber }) => rowNumber));
  const pos = new Set(kept.map(({ poNumber }) => poNumber));
  const poAt = columnAt(columns, 'po_number')!;
  const removed = rows.flatMap(({ rowNumber, cells }): ChangedRow[] => {
    const poNumber = ledgerRows.get(rowNumber)?.poNumber ?? cells[poAt]!.trim();
    if (there.has(rowNumber) || !pos.has(poNumber)) return [];
    const lost = cells.flatMap((text, at): ChangedCell[] =>
      text.trim() === '' ? [] : [{ column: headerAt(at), before: text, after: '' }],
    );
    return [{ kind: 'removed', poNumber, rowNumber, newRowNumber: null, cells: lost }];
  });
  return [...changed, ...removed];
};
