import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';
import { mutants } from './mutants.ts';

test.each(mutants)('$safeguard: its text still stands in the source', async (mutant) => {
  const source = await readFile(new URL(`../../${mutant.file}`, import.meta.url), 'utf8');
  expect(applyEdits(source, mutant)).not.toBe(source);
});

test('a text that is gone is told, not passed over', () => {
  const mutant = { safeguard: 's', file: 'f', edits: [['gone', '']] as [string, string][], tests: [] };
  expect(() => applyEdits('something else', mutant)).toThrow('f has 0 times: gone');
});
