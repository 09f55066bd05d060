import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cartCreated } from '../../src/contract/carts.ts';
import { cartShipCodes, orderShipCodes, orderStatuses } from '../../src/contract/codes.ts';
import { itemAdded } from '../../src/contract/items.ts';
import { orderCreated, orderDetail, orderRequest, poObject } from '../../src/contract/orders.ts';
import { faultKinds } from '../../src/service/fault-rules.ts';
import { renderServicePage } from '../docs/service-page.ts';
import { servicesOfTest, type TestServices } from './run-service.ts';

const page = await readFile(new URL('../../docs/service.md', import.meta.url), 'utf8');
const address = 'http://127.0.0.1:8480';

let services: TestServices;
beforeAll(async () => {
  services = await servicesOfTest();
});
afterAll(() => services.end());

/** The commands of the page in order, each with the responses below it. */
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

const varying = ['cart_number', 'order_number', 'order_numbers', 'order_date', 'at', 'durationMs'];

/** Numbers and dates that differ in each run. */
const steady = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (name, field) => (varying.includes(name) && field !== null ? 'varies' : field)),
  );

test('every command of the page gives the response beneath it', async () => {
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

test('the page shows the fields, settings, problems and faults of the code (npm run docs)', () => {
  expect(page).toBe(renderServicePage(page));
  for (const kind of faultKinds) expect(page).toContain(`\`${kind}\``);
});

/** A section of the interface, by its anchor. */
const section = (number: string): string =>
  page.split(`<a id="spec-${number}"></a>`)[1]!.split(/<a id=|^## /m)[0]!;

test.each([
  ['2.2', cartCreated.shape],
  ['2.3', itemAdded.shape],
  ['2.5', { ...orderRequest.shape, ...orderCreated.shape }],
  ['2.6', poObject.shape],
  ['2.7', { ...orderDetail.shape, ...orderDetail.shape.items.element.shape }],
])('section %s names every field of the response', (number, shape) => {
  for (const name of Object.keys(shape)) expect(section(number)).toContain(`\`${name}\``);
});

test('the page names every code and status', () => {
  for (const code of [...cartShipCodes, ...orderShipCodes]) expect(section('2.4')).toContain(`\`${code}\``);
  for (const status of orderStatuses) expect(section('3')).toContain(`\`${status}\``);
});
