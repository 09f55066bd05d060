import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { apiDocument } from '../../src/cli/api-document.ts';
import { renderApiPage } from '../docs/api-page.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();

test('the document that is printed is the one that a running console answers', async () => {
  const answer = await use.app.inject({
    url: '/api/v1/openapi.json',
    headers: await use.withToken('viewer'),
  });
  expect(JSON.parse(JSON.stringify(await apiDocument(use.deps.version)))).toEqual(answer.json());
});

test('docs/api.md lists every route; `npm run docs` writes it', async () => {
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  expect(page).toBe(await renderApiPage(page));
});
