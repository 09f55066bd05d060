import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import type { Place } from './grid-rows.ts';

interface FocusIn {
  table: RefObject<HTMLElement | null>;
  page: number;
  setPage: (page: number) => void;
  pageSize: number;
}

/** Moves the focus to a cell, even on another page of the grid, and remembers the last focused one. */
export const useFocus = ({ table, page, setPage, pageSize }: FocusIn) => {
  const last = useRef<Place>({ row: -1, column: -1 });
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const [, row, column] = /^cell-(\d+)-(\d+)$/.exec((target as HTMLElement).id) ?? [];
      if (row !== undefined) last.current = { row: Number(row), column: Number(column) };
    };
    const within = table.current;
    within?.addEventListener('focusin', note);
    return () => within?.removeEventListener('focusin', note);
  }, [table]);
  const wanted = useRef<Place>(undefined);
  const now = useRef({ page, setPage });
  now.current = { page, setPage };
  const goThere = useCallback(() => {
    const place = wanted.current;
    const cell =
      place && table.current?.querySelector<HTMLInputElement>(`#cell-${place.row}-${place.column}`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus();
    cell.select();
  }, [table]);
  // A cell of another page or of a new row exists only after rendering.
  useLayoutEffect(goThere);
  const focus = useCallback(
    (place: Place) => {
      wanted.current = place;
      const on = Math.floor(place.row / pageSize);
      if (on !== now.current.page) now.current.setPage(on);
      else goThere();
    },
    [goThere, pageSize],
  );
  return { focus, last };
};
