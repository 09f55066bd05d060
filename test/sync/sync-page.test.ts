import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { renderSyncPage } from '../docs/sync-page.ts';

test('docs/sync.md shows the kinds of changes that the code has (npm run docs)', async () => {
  const page = await readFile(new URL('../../docs/sync.md', import.meta.url), 'utf8');
  expect(page).toBe(renderSyncPage(page));
});
