import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderResultsPage } from './results-page.ts';

test('docs/results.md shows the columns and the line states that the code has (npm run docs)', async () => {
  const page = await readFile(new URL('../../docs/results.md', import.meta.url), 'utf8');
  expect(page).toBe(renderResultsPage(page));
});
