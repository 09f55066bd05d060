import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

test('a configuration file that is not UTF-8 is refused with its place: two names could become one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-config-'));
  const file = join(folder, 'cartwright.yaml');
  await writeFile(file, Buffer.from('service:\n  seed:\n    - po_number: M\u00fc-7\n', 'latin1'));
  expect(() => loadConfig({ file }, {})).toThrow(
    `${file} is not UTF-8 (line 3, column 19). Save the file as UTF-8.`,
  );
  await writeFile(file, '\ufeffservice: { seed: [{ po_number: Mü-7 }] }\n');
  expect(loadConfig({ file }, {}).service.seed).toEqual([{ po_number: 'Mü-7' }]);
  await rm(folder, { recursive: true });
});

test('a name that JavaScript would leave out without a word is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-config-'));
  const file = join(folder, 'cartwright.yaml');
  await writeFile(file, 'accounts:\n  __proto__: { schedule: { timeZone: UTC } }\n');
  expect(() => loadConfig({ file }, {})).toThrow('__proto__ cannot be a name in the configuration.');
  await rm(folder, { recursive: true });
});
