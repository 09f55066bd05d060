import { useMap } from '@mantine/hooks';
import { useEffect } from 'react';
import type { Selection } from './table-head.tsx';

interface SelectionState<Row> extends Omit<Selection<Row>, 'nameOf'> {
  /** In the order in which they were selected; a row that is still shown as it is now. */
  chosen: Row[];
  clear: () => void;
}

/**
 * The rows of a list that are selected, also across its pages.
 *
 * @param filterKey a selection belongs to the filter it was made in: another one ends it
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
  // What is shown now counts, not what was selected: a row may have changed meanwhile.
  const present = new Map(rows.map((row) => [row.id, row]));
  const chosen = [...selected.values()].map((row) => present.get(row.id) ?? row);
  return { has: ({ id }) => selected.has(id), toggle, toggleAll, chosen, clear };
};
