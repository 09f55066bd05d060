import { cartOptionNames } from './fields.ts';
import type { CartOptionValues } from './types.ts';

/** Most values are plain words, for which JSON's own writer is slow. */
const asJson = (value: string | boolean): string =>
  typeof value === 'string' && /^[ !#-[\]-~]*$/.test(value) ? `"${value}"` : JSON.stringify(value);

/**
 * Cart options as canonical JSON text: blank ones left out, and written just as Postgres writes a jsonb (shorter
 * names first, then by code point; a space after each colon and comma). So equal options have equal texts, whether
 * they were written here or merged in the ledger, and the ledger need not parse what it hashes.
 */
export const optionsText = (values: CartOptionValues): string => {
  let text = '';
  for (const name of cartOptionNames) {
    const value = values[name];
    if (value !== undefined) text += `${text === '' ? '{' : ', '}"${name}": ${asJson(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
};
