import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runTaskNow } from '../../src/worker/run-task-now.ts';
import { countStatistics } from '../support/count-statistics.ts';
import { fillStatistics } from './fill-statistics.ts';
import { pricedFile, useBrowser } from './use-browser.ts';

const samples = fileURLToPath(new URL('../../samples/', import.meta.url));
const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const { accounts } = parse(readFileSync(join(samples, 'cartwright.yaml'), 'utf8')) as {
  accounts: Record<string, Record<string, unknown>>;
};
const skus = readFileSync(join(samples, 'catalogue.csv'), 'utf8')
  .split('\n')
  .slice(1, 9)
  .map((line) => line.split(',', 1)[0]!);
const use = useBrowser(
  Object.fromEntries(
    Object.entries(accounts).map(([name, { baseUrl: _, auth: __, ...settings }]) => [name, settings]),
  ),
  { catalogue: join(samples, 'catalogue.csv') },
);

/** Copies the demo's files into the inboxes, each by a rename. */
const dropSamples = async (): Promise<number> => {
  const files = readdirSync(samples).filter((name) => /^(north|south)gate|^northside/.test(name));
  for (const name of files) {
    const account = name.split('-', 1)[0]!;
    const { folder } = use.runtime.config.accounts.find((one) => one.name === account)!;
    mkdirSync(join(folder, 'inbox'), { recursive: true });
    const beside = join(use.system.folder, name);
    await cp(join(samples, name), beside);
    await rename(beside, join(folder, 'inbox', name));
  }
  return files.length;
};

const settle = async (page: Page): Promise<void> => {
  await page.getByRole('heading').first().waitFor();
  // Not with a function in the page, because the content security policy forbids evaluating one.
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  await page.waitForLoadState('networkidle').catch(() => {});
};

/** The ten pictures of README and docs/console.md, from the data of the demo. `npm run screenshots` runs this file. */
test('take the pictures', async () => {
  const count = await dropSamples();
  const spring = pricedFile('SPR-', 24).replace(/SKU-(\d+)/g, (_, n) => skus[Number(n) % skus.length]!);
  await use.system.drop('northside', 'spring-prices.csv', spring);
  await use.system.settled(count + 1);
  const idOf = async (sql: string) => (await use.system.ledger.query<{ id: string }>(sql)).rows[0]!.id;
  const held = await idOf(
    `select min(id)::text as id from purchase_orders where state = 'held' and reason_code = 'price_above'`,
  );
  const mistakes = await idOf(
    `select id::text as id from imports where file_name = 'northside-mistakes.csv'`,
  );
  const take = async (
    name: string,
    path: string,
    how: { scheme?: 'light' | 'dark'; width?: number; before?: (page: Page) => Promise<void> } = {},
  ) => {
    const page = await use.open({
      role: 'admin',
      ...(how.scheme ? { scheme: how.scheme } : {}),
      width: how.width ?? 1280,
    });
    await page.goto(path);
    await settle(page);
    await how.before?.(page);
    await page.screenshot({ path: join(images, `console-${name}.png`) });
    await page.close();
  };
  await take('today', '/');
  await take('today-dark', '/', { scheme: 'dark' });
  await take('purchase-orders', '/purchase-orders');
  await take('purchase-order', `/purchase-orders/${held}`);
  await take('issues', `/imports/${mistakes}?tab=issues`);
  await take('search', '/', {
    scheme: 'dark',
    before: async (page) => {
      await page.keyboard.press('/');
      await page.getByRole('combobox').fill('SPR-1');
      await page.getByRole('option', { name: /SPR-1/ }).first().waitFor();
    },
  });
  await take('imports', '/imports');
  // A day later at the service, most orders have shipped.
  await use.service.control.clock({ advanceMs: 20 * 3_600_000 });
  for (const account of Object.keys(accounts)) await runTaskNow(use.runtime, 'poll', account);
  await take('orders', '/orders');
  const { pool } = use.runtime.ledger;
  await fillStatistics(pool, 'northside');
  await countStatistics(pool);
  await take('statistics', '/statistics');
  await take('phone', `/purchase-orders/${held}`, { width: 360 });
}, 240_000);
