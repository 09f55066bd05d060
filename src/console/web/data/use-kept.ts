import { useCallback, useState } from 'react';
import { useMe } from './session.ts';

const prefix = 'cartwright ';

/** A browser may forbid to keep anything: then it is kept as long as the page is shown. */
const ifAllowed = <Value>(use: () => Value, otherwise: Value): Value => {
  try {
    return use();
  } catch {
    return otherwise;
  }
};

/** Forgets what was kept in this tab: another person may use it next. */
export const forgetKept = (): void =>
  ifAllowed(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }, undefined);

/**
 * What a person has chosen and not saved yet, kept in this tab until it is forgotten, also while another page is shown. Only the same person
 * finds it again.
 */
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
