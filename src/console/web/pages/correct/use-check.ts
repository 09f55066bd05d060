import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef } from 'react';
import type { CorrectionAnswer, CorrectionCheck, MarkedCell } from '../../../../api-contract/corrections.ts';
import { request } from '../../data/request.ts';
import { type Grid, givenRows } from './grid-rows.ts';

/** The rows in the form of a check request. */
export const requestOf = ({ purchaseOrders }: CorrectionAnswer, grid: Grid) => ({
  purchaseOrders: purchaseOrders.map(({ id }) => id),
  headers: grid.columns.map(({ header }) => header),
  rows: givenRows(grid),
});

interface Checked {
  check: CorrectionCheck;
  /** The keys of the rows that were checked. */
  keys: string[];
}

/** Checks the rows whenever they change. Shows the previous result until the answer arrives. @param revision 0: nothing changed yet */
export const useCheck = (answer: CorrectionAnswer, grid: Grid, revision: number) => {
  const id = useId();
  const isUnchanged = revision === 0;
  const query = useQuery({
    queryKey: ['correction-check', answer.importId, id, revision],
    queryFn: async ({ signal }): Promise<Checked> => ({
      check: await request<CorrectionCheck>(`/imports/${answer.importId}/correction/check`, {
        method: 'POST',
        body: requestOf(answer, grid),
        signal,
      }),
      keys: grid.rows.map(({ key }) => key),
    }),
    enabled: !isUnchanged && grid.rows.length > 0,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const first = useMemo(
    () => ({ check: answer.check, keys: answer.rows.map(({ rowNumber }) => `row ${rowNumber}`) }),
    [answer],
  );
  // If a check fails, keep showing the previous result; nothing can be ordered.
  const last = useRef<Checked>(first);
  if (query.data) last.current = query.data;
  const checked = isUnchanged ? first : last.current;
  const isEmpty = grid.rows.length === 0;
  const marks = useMemo(() => {
    const byRow = new Map<string, MarkedCell[]>();
    if (checked.check.kind === 'refused') return byRow;
    for (const mark of checked.check.marks) {
      const key = checked.keys[mark.row];
      if (key !== undefined) byRow.set(key, [...(byRow.get(key) ?? []), mark]);
    }
    return byRow;
  }, [checked]);
  return {
    check: checked.check,
    marks,
    isChecking: !isUnchanged && !isEmpty && (query.isFetching || query.isPlaceholderData),
    /** The present rows have been checked. */
    isCurrent: isUnchanged || (!isEmpty && query.isSuccess && !query.isFetching && !query.isPlaceholderData),
    error: query.error,
    again: query.refetch,
  };
};
