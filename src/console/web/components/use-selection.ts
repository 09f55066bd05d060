import { useMap } from '@mantine/hooks';
import { useEffect } from 'react';
import type { Selection } from './table-head.tsx';

interface SelectionState<Row> extends Omit<Selection<Row>, 'nameOf'> {
  /** In the order of selection; rows still shown have their present values. */
  chosen: Row[];
  clear: () => void;
}

/**
 * The selected rows of a list, across its pages.
 *
 * @param filterKey changing the filter clears the selection
 */
export const useSelection = <Row extends { id: string }>(
  rows: readonly Row[],
  filterKey: string,
): SelectionState<Row> => {
  const selected = useMap<string, Row>();
  const clear = () => selected.clear();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the filter that ends the selection.
  useEffect(clear, [filterKey]);
  const toggle = (row: Row) => {
    if (!selected.delete(row.id)) selected.set(row.id, row);
  };
  const toggleAll = (some: readonly Row[]) => {
    const isAll = some.every(({ id }) => selected.has(id));
    for (const row of some) {
      if (isAll) selected.delete(row.id);
      else selected.set(row.id, row);
    }
  };
  // Use the shown rows, because they may have changed since they were selected.
  const present = new Map(rows.map((row) => [row.id, row]));
  const chosen = [...selected.values()].map((row) => present.get(row.id) ?? row);
  return { has: ({ id }) => selected.has(id), toggle, toggleAll, chosen, clear };
};
