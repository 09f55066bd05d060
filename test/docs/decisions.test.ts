import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const names = (await readdir(folder)).filter((name) => name !== 'README.md').sort();
const pages = await Promise.all(
  names.map(async (name) => ({ name, text: await readFile(new URL(name, folder), 'utf8') })),
);

test('decisions are numbered, and no number is used twice', () => {
  expect(names.length).toBeGreaterThan(0);
  const numbers = names.map((name) => /^(\d{3})-[a-z0-9-]+\.md$/.exec(name)?.[1]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(names.length);
});

test.each(pages)('$name has title, date, status, context, decision and consequences', ({ name, text }) => {
  const head = new RegExp(
    `^# ${name.slice(0, 3)}: .+\\n\\n- Date: \\d{4}-\\d\\d-\\d\\d\\n- Status: (accepted|replaced by \\d{3})\\n\\n## `,
  );
  expect(text).toMatch(head);
  expect(text.match(/^## .+/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
  expect(text.split(/^## .+$/m).every((part) => part.trim() !== '')).toBe(true);
});

test('README.md lists each decision by its title', async () => {
  const page = await readFile(new URL('README.md', folder), 'utf8');
  const listed = page.split('\n').filter((line) => line.startsWith('- '));
  const titles = pages.map(({ name, text }) => {
    const [, number, title] = /^# (\d{3}): (.+)/.exec(text)!;
    return `- [${number}](${name}) ${title}`;
  });
  expect(listed).toEqual(titles);
});
