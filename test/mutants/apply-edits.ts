import type { Mutant } from './mutants.ts';

/**
 * The source without the safeguard.
 *
 * @throws when the source does not contain a text to replace exactly once
 */
export const applyEdits = (source: string, { safeguard, file, edits }: Mutant): string =>
  edits.reduce((text, [search, replace]) => {
    const parts = text.split(search);
    if (parts.length !== 2) {
      throw new Error(`mutant "${safeguard}": ${file} has ${parts.length - 1} times: ${search}`);
    }
    return parts.join(replace);
  }, source);
