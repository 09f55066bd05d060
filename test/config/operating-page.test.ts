import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { holdReasons } from '../../src/placing/hold-reasons.ts';
import { renderOperatingPage } from './operating-page.ts';
import { listSettings } from './settings-table.ts';

test('docs/operating.md shows the settings, hold reasons and exit codes that the code has (npm run docs)', async () => {
  const page = await readFile(new URL('../../docs/operating.md', import.meta.url), 'utf8');
  expect(page).toBe(renderOperatingPage(page));
  expect(page).toContain('accounts.NAME.schedule.poll');
  for (const code of Object.keys(holdReasons)) expect(page).toContain(`\`${code}\``);
});

test('every setting has a description', () => {
  const silent = listSettings().filter(({ description }) => description === '');
  expect(silent.map(({ key }) => key)).toEqual([]);
});
