import { useCallback, useState } from 'react';
import { useMe } from './session.ts';

const prefix = 'cartwright ';

/** If the browser forbids storage, the value lives only as long as the page. */
const ifAllowed = <Value>(use: () => Value, otherwise: Value): Value => {
  try {
    return use();
  } catch {
    return otherwise;
  }
};

/** Clears what this tab stored, because another person may use it next. */
export const forgetKept = (): void =>
  ifAllowed(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }, undefined);

/** Unsaved input, kept in this tab across pages until it is cleared. Only the same person sees it again. */
export const useKept = <Value>(
  name: string,
  initial: Value,
): { value: Value; keep: (value: Value) => void; forget: () => void } => {
  const key = `${prefix}${useMe().id} ${name}`;
  const [value, setValue] = useState<Value>(() =>
    ifAllowed(() => {
      const kept = sessionStorage.getItem(key);
      return kept === null ? initial : (JSON.parse(kept) as Value);
    }, initial),
  );
  const keep = (next: Value) => {
    setValue(next);
    ifAllowed(() => sessionStorage.setItem(key, JSON.stringify(next)), undefined);
  };
  const forget = useCallback(() => ifAllowed(() => sessionStorage.removeItem(key), undefined), [key]);
  return { value, keep, forget };
};
