import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { serviceConfigSchema } from '../../src/service/config.ts';
import { faultKinds, faultRule } from '../../src/service/fault-rules.ts';
import { problemKinds } from '../../src/service/problems.ts';
import { servicesOfTest, type TestServices } from './run-service.ts';

const page = await readFile(new URL('../../docs/service.md', import.meta.url), 'utf8');
const address = 'http://127.0.0.1:8480';

let services: TestServices;
beforeAll(async () => {
  services = await servicesOfTest();
});
afterAll(() => services.end());

/** The commands of the page in their order, each with the answers that stand under it. */
const examples = [...page.matchAll(/```sh\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g)].map((found) => ({
  commands: found[1]!,
  answers: found[2],
}));

/** Several JSON texts that follow each other, as curl prints them. */
const parseAll = (text: string): unknown[] => {
  const values: unknown[] = [];
  let rest = text.trim();
  while (rest !== '') {
    let end = 1;
    for (;;) {
      try {
        values.push(JSON.parse(rest.slice(0, end)));
        break;
      } catch (thrown) {
        if (end >= rest.length) throw thrown;
        end += 1;
      }
    }
    rest = rest.slice(end).trim();
  }
  return values;
};

/** Numbers and dates that are others each time. */
const steady = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (name, field) =>
      ['cart_number', 'order_number', 'order_date', 'clockMs'].includes(name) && field !== null
        ? 'varies'
        : field,
    ),
  );

test('every curl line of the page answers what stands under it', async () => {
  const service = await services.listen({ admin: true });
  expect(examples.length).toBeGreaterThan(8);
  for (const { commands, answers } of examples) {
    const { stdout } = await promisify(execFile)('bash', ['-ec', commands.replaceAll(address, service.url)]);
    const answered = parseAll(stdout).map((answer) => steady(answer));
    expect(answered.length).toBeGreaterThan(0);
    if (answers !== undefined)
      expect(answered, commands).toEqual(parseAll(answers).map((answer) => steady(answer)));
  }
});

const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
const code = (value: unknown) =>
  value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

/** The fields of a schema as the page shows them. */
const fieldTable = (shape: Record<string, z.ZodType>, defaults: Record<string, unknown>) =>
  [
    row(['name', 'default', 'meaning']),
    row(['---', '---', '---']),
    ...Object.entries(shape).map(([name, schema]) =>
      row([code(name), code(defaults[name]), `${schema.description}${choicesOf(schema)}`]),
    ),
  ].join('\n');

const choicesOf = (schema: z.ZodType): string => {
  const { options } = ('unwrap' in schema ? (schema as z.ZodDefault).unwrap() : schema) as {
    options?: unknown;
  };
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  return texts.length > 0 && texts.length < 10 ? ` One of ${texts.map(code).join(', ')}.` : '';
};

const sectionAfter = (marker: string) => page.split(`<!-- ${marker} -->\n\n`)[1]?.split('\n\n')[0];

test('the page has every switch, with its default and its sentence', () => {
  expect(sectionAfter('switches')).toBe(fieldTable(serviceConfigSchema.shape, serviceConfigSchema.parse({})));
});

test('the page has every field of a fault rule, and every kind', () => {
  const { kind: _, ...defaults } = faultRule.parse({ kind: 'delay' });
  expect(sectionAfter('fault fields')).toBe(fieldTable(faultRule.shape, defaults));
  for (const kind of faultKinds) expect(page).toContain(`\`${kind}\``);
});

test('the page has every problem', () => {
  const table = [
    row(['status', 'code', 'meaning']),
    row(['---', '---', '---']),
    ...Object.entries(problemKinds).map(([name, [status, title]]) =>
      row([String(status), code(name), title]),
    ),
  ].join('\n');
  expect(sectionAfter('problems')).toBe(table);
});
