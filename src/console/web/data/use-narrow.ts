import { useSyncExternalStore } from 'react';

/** As in the style sheets: below it, rows of tables become cards. */
const query = '(max-width: 699px)';

const subscribe = (listener: () => void): (() => void) => {
  const list = matchMedia(query);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
};

/** Whether the page is as narrow as on a telephone. */
export const useNarrow = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
