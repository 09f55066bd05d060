import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { insertImport } from '../support/ledger-rows.ts';
import { ownHeaders, useConsole } from './use-console.ts';

// The build makes both parts of the web app: the browser's program, and the server-side rendering.
const console = useConsole({
  deps: { webFolder: fileURLToPath(new URL('../../dist/console', import.meta.url)) },
});
const hostile = '</script><script>alert(1)</script>.csv';

const open = async (path: string, headers: Record<string, string> = ownHeaders) =>
  (await console.app.inject({ url: path, headers })).body;
const answersOf = (page: string): { queryKey: string[]; data: unknown }[] =>
  JSON.parse(/<script type="application\/json" id="first-answers">(.*?)<\/script>/s.exec(page)![1]!);

beforeAll(async () => {
  for (const account of ['north', 'south']) {
    await insertImport(console.deps.pool, {
      account,
      file_name: account === 'north' ? hostile : 'southern.csv',
      state: 'refused',
      reason_code: 'no_rows',
      reason_text: 'The file has no rows.',
    });
  }
});

test('Today comes with its sentence and its answers, which end no script', async () => {
  const page = await open('/', await console.signedIn('viewer'));
  expect(page).toMatch(/<div id="first-view" inert>.*Needs you: 2 files refused\..*<\/div>/s);
  expect(page).not.toContain('<script>alert');
  expect(page).not.toContain(' style="');
  const answers = answersOf(page);
  expect(answers.map(({ queryKey }) => queryKey)).toEqual([
    ['me'],
    ['accounts'],
    ['bulk', 'running'],
    ['today'],
  ]);
  expect(JSON.stringify(answers)).toContain(hostile);
});

test('a page shows of an account only what its reader may see', async () => {
  const page = await open('/', await console.signedIn('viewer', ['north']));
  expect(page).toContain('Needs you: 1 file refused.');
  expect(page).not.toContain('southern.csv');
});

test('the page of a purchase order or an import comes with its answer', async () => {
  const { rows } = await console.deps.pool.query('select id::text from imports where account = $1', [
    'south',
  ]);
  const page = await open(`/imports/${rows[0].id}`, await console.signedIn('viewer'));
  expect(answersOf(page).at(-1)).toMatchObject({ data: { fileName: 'southern.csv' } });
});

test.each([
  ['dark', '<html lang="en" data-mantine-color-scheme="dark">'],
  ['light', '<html lang="en" data-mantine-color-scheme="light">'],
  ['"><script>', '<html lang="en">'],
])('a page comes in the colours of its cookie: %s', async (colours, html) => {
  const { cookie } = await console.signedIn('viewer');
  for (const session of [`${cookie}; `, '']) {
    const headers = { ...ownHeaders, cookie: `${session}cartwright-colours=${encodeURIComponent(colours)}` };
    expect(await open('/', headers)).toContain(html);
  }
});

test.each([
  ['a stranger', ownHeaders],
  ['somebody whose session has ended', { ...ownHeaders, cookie: 'cartwright=ended' }],
])('%s gets the page without any data', async (_, headers) => {
  const page = await open('/', headers);
  expect(page).toContain('<div id="root"></div>');
  expect(page).not.toContain('first-answers');
  expect(page).not.toContain('Needs you');
});
