import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { applyEdits } from './apply-edits.ts';
import { mutants } from './mutants.ts';

const root = new URL('../../', import.meta.url);

test.each(mutants)('$safeguard: the source still contains its text, and its tests exist', async (mutant) => {
  const source = await readFile(new URL(mutant.file, root), 'utf8');
  expect(applyEdits(source, mutant)).not.toBe(source);
  for (const file of mutant.tests) await access(new URL(file, root));
});

test('a text that the source no longer contains is an error that names the file and the text', () => {
  const mutant = { safeguard: 's', file: 'f', edits: [['gone', '']] as [string, string][], tests: [] };
  expect(() => applyEdits('something else', mutant)).toThrow('f has 0 times: gone');
});
