import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { holdReasons } from '../../src/placing/hold-reasons.ts';
import { renderEveryDayPage, renderOperatingPage, renderSettingsPage } from './operator-pages.ts';
import { listSettings } from './settings-table.ts';

const readPage = (name: string) => readFile(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

test('docs/every-day.md shows the hold reasons, pauses and events that the code has (npm run docs)', async () => {
  const page = await readPage('every-day.md');
  expect(page).toBe(renderEveryDayPage(page));
  for (const code of Object.keys(holdReasons)) expect(page).toContain(`\`${code}\``);
});

test('docs/settings.md shows the settings and exit codes that the code has (npm run docs)', async () => {
  const page = await readPage('settings.md');
  expect(page).toBe(renderSettingsPage(page));
  expect(page).toContain('accounts.NAME.schedule.poll');
});

test('docs/operating.md names the settings of an account that a reload takes over (npm run docs)', async () => {
  const page = await readPage('operating.md');
  expect(page).toBe(renderOperatingPage(page));
});

test('every setting has a description', () => {
  const silent = listSettings().filter(({ description }) => description === '');
  expect(silent.map(({ key }) => key)).toEqual([]);
});
