import { useCallback, useState } from 'react';
import { useMe } from './session.ts';

const prefix = 'cartwright ';

/** Forgets what was kept in this tab: another person may use it next. */
export const forgetKept = (): void => {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
};

/**
 * What a person has chosen and not saved yet, kept in this tab until it is forgotten, also while another page is shown. Only the same person
 * finds it again.
 */
export const useKept = <Value>(
  name: string,
  initial: Value,
): { value: Value; keep: (value: Value) => void; forget: () => void } => {
  const key = `${prefix}${useMe().id} ${name}`;
  const [value, setValue] = useState<Value>(() => {
    try {
      const kept = sessionStorage.getItem(key);
      return kept === null ? initial : (JSON.parse(kept) as Value);
    } catch {
      // A browser may forbid to keep anything.
      return initial;
    }
  });
  const keep = (next: Value) => {
    setValue(next);
    try {
      sessionStorage.setItem(key, JSON.stringify(next));
    } catch {
      // It is kept as long as the page is shown.
    }
  };
  const forget = useCallback(() => {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  }, [key]);
  return { value, keep, forget };
};
