import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { countStatistics } from '../support/count-statistics.ts';
import { fillStatistics } from './fill-statistics.ts';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {}, rhein: {} });

beforeAll(async () => {
  const { pool } = use.runtime.ledger;
  for (const account of ['north', 'rhein']) await fillStatistics(pool, account);
  await countStatistics(pool);
}, 120_000);

test('how is it going: charts with their figures, for one account and all, by keyboard', async () => {
  const page = await use.open({ role: 'viewer', width: 1280 });
  await page.goto('/accounts/north');
  await page.getByRole('main').getByRole('link', { name: 'Statistics' }).click();
  await page.getByText(/^As of/).waitFor();
  expect(new URL(page.url()).search).toBe('?account=north');
  const orders = page.getByRole('region', { name: 'Orders', exact: true });
  const sumOf = async () => Number((await orders.locator('header span').innerText()).replaceAll(',', ''));
  const north = await sumOf();
  expect(north).toBeGreaterThan(0);
  await orders.getByRole('img', { name: /^Orders: [\d,]+ in all; the most, \d+, / }).waitFor();

  await page.getByRole('combobox', { name: 'Account' }).selectOption('');
  await expect.poll(sumOf).toBe(2 * north);
  await page.getByRole('combobox', { name: 'Time span' }).selectOption('13m');
  await page.getByRole('combobox', { name: 'Summed up' }).selectOption('month');
  await expect.poll(sumOf).toBe(1800);
  await page.screenshot({ path: join(picturesFolder, 'statistics-13-months.png'), fullPage: true });

  // The figures of a chart are accessible without a mouse.
  await page.getByText('Money as a table').focus();
  await page.keyboard.press('Enter');
  const money = page.getByRole('region', { name: 'Money' });
  await expect.poll(() => money.getByRole('row').count()).toBe(14);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    money.getByRole('link', { name: 'Download the figures as CSV' }).click(),
  ]);
  expect((await readFile(await download.path(), 'utf8')).trim().split('\r\n')).toHaveLength(14);

  const held = page.getByRole('region', { name: 'Held' });
  await held.getByText(/not in stock and would be back-ordered/).waitFor();
  await held.getByRole('link', { name: 'Those held now' }).first().click();
  await page.getByRole('heading', { name: 'Purchase orders' }).waitFor();
  expect(new URL(page.url()).search).toMatch(/state=held&reason=/);

  // A user with access to one account sees only its figures.
  const other = await use.open({ role: 'viewer', accounts: ['rhein'] });
  await other.goto('/statistics?span=13m');
  await expect
    .poll(
      async () =>
        await other.getByRole('region', { name: 'Orders', exact: true }).locator('header span').innerText(),
    )
    .toBe('900');
}, 120_000);

test.each(['light', 'dark'] as const)(
  'in %s colours it fits a phone, and a table of figures too',
  async (scheme) => {
    for (const width of [360, 1280]) {
      const page = await use.open({ role: 'viewer', width, scheme });
      await page.goto('/statistics');
      await page.getByText(/^As of/).waitFor();
      await page.getByText('Shipped within 3 days as a table').click();
      await page.getByRole('link', { name: 'Download the figures as CSV' }).waitFor();
      await page.screenshot({
        path: join(picturesFolder, `statistics-full-${width}-${scheme}.png`),
        fullPage: true,
      });
      expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
    }
  },
);
