import { useCallback, useState } from 'react';

const prefix = 'cartwright ';

/** What a person has chosen and not saved yet, kept in this tab until it is forgotten, also while another page is shown. */
export const useKept = <Value>(
  key: string,
  initial: Value,
): { value: Value; keep: (value: Value) => void; forget: () => void } => {
  const [value, setValue] = useState<Value>(() => {
    try {
      const kept = sessionStorage.getItem(prefix + key);
      return kept === null ? initial : (JSON.parse(kept) as Value);
    } catch {
      // A browser may forbid to keep anything.
      return initial;
    }
  });
  const keep = (next: Value) => {
    setValue(next);
    try {
      sessionStorage.setItem(prefix + key, JSON.stringify(next));
    } catch {
      // It is kept as long as the page is shown.
    }
  };
  const forget = useCallback(() => {
    try {
      sessionStorage.removeItem(prefix + key);
    } catch {
      // Nothing was kept.
    }
  }, [key]);
  return { value, keep, forget };
};
