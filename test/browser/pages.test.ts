import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { runTaskNow } from '../../src/worker/run-task-now.ts';
import { countStatistics } from '../support/count-statistics.ts';
import { fileOf, somePos } from '../support/run-system.ts';
import { picturesFolder, pricedFile, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {}, rhein: {} });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

beforeAll(async () => {
  await use.system.drop('north', 'week-47.csv', fileOf(somePos('WK-', 30)));
  await use.system.drop('north', 'prices.csv', pricedFile('PRC-', 12));
  await use.system.drop(
    'rhein',
    'mistakes.csv',
    'po_number,item_sku,quantity\nBAD-1,SKU-1,two\nBAD-2,SKU-2,3\n',
  );
  await use.system.drop('rhein', 'refused.csv', 'alpha,beta\n1,2\n');
  await use.system.drop('north', 'much.csv', fileOf(new Map([['MUCH-1', { 'SKU-2': 4000, 'SKU-3': 900 }]])));
  await use.system.settled(5);
  // Some orders have shipped, and one is on back-order, so that lists have their greatest width.
  await use.service.control.clock({ advanceMs: 20 * 3_600_000 });
  await runTaskNow(use.runtime, 'poll', 'north');
  await countStatistics(use.runtime.ledger.pool);
}, 180_000);

/** Every page, by the name of its pictures. `path` may need an id of the ledger; `opens` is clicked. */
const pages: { name: string; path: string; id?: string; opens?: string }[] = [
  { name: 'today', path: '/' },
  { name: 'purchase-orders', path: '/purchase-orders' },
  {
    name: 'purchase-order-held',
    path: '/purchase-orders/ID',
    id: `select min(id)::text as id from purchase_orders where state = 'held'`,
  },
  {
    name: 'purchase-order-ordered',
    path: '/purchase-orders/ID',
    id: `select min(id)::text as id from purchase_orders where state = 'ordered'`,
  },
  { name: 'orders', path: '/orders' },
  { name: 'imports', path: '/imports' },
  {
    name: 'import-held',
    path: '/imports/ID',
    id: `select id::text as id from imports where file_name = 'prices.csv'`,
  },
  {
    name: 'import-issues',
    path: '/imports/ID?tab=issues',
    id: `select id::text as id from imports where file_name = 'mistakes.csv'`,
  },
  {
    name: 'import-reading',
    path: '/imports/ID?tab=reading',
    id: `select id::text as id from imports where file_name = 'week-47.csv'`,
  },
  {
    name: 'import-files',
    path: '/imports/ID?tab=files',
    id: `select id::text as id from imports where file_name = 'refused.csv'`,
  },
  { name: 'upload', path: '/upload' },
  { name: 'accounts', path: '/accounts' },
  { name: 'account', path: '/accounts/north' },
  { name: 'statistics', path: '/statistics' },
  { name: 'statistics-table', path: '/statistics?by=week', opens: 'Held as a table' },
  { name: 'statistics-months', path: '/statistics?span=13m&by=month' },
  { name: 'statistics-empty', path: '/statistics?account=nobody' },
  { name: 'reports', path: '/reports' },
  { name: 'activity', path: '/activity' },
  { name: 'users', path: '/users' },
  { name: 'tokens', path: '/tokens' },
  { name: 'settings', path: '/settings' },
  { name: 'own-sessions', path: '/settings/me' },
  { name: 'queues', path: '/queues-view' },
  { name: 'missing', path: '/no-such-page' },
];

/** Opens a page and waits until everything on it is loaded. */
const show = async (page: Page, { path, id, opens }: (typeof pages)[number]): Promise<void> => {
  const found =
    id === undefined ? undefined : (await use.system.ledger.query<{ id: string }>(id)).rows[0]!.id;
  await page.goto(path.replace('ID', found ?? ''));
  await page.getByRole('heading').first().waitFor();
  // Not with a function in the page, because the content security policy forbids evaluating one.
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
  if (opens) await page.getByText(opens).click();
};

const seriousOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
};

/** Short words that are broken across two lines. */
const brokenWords = `(() => {
  const broken = new Set();
  for (const element of document.querySelectorAll('th, td, dt, dd, h1, h2, h3, button, summary, p')) {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      // Names and lists of the configuration may break anywhere.
      if (texts.currentNode.parentElement.closest('.mono')) continue;
      for (const { 0: word, index } of texts.currentNode.data.matchAll(/(?<![\\w.&-])[A-Za-z]{2,14}(?![\\w.&-])/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        if (tops.size > 1) broken.add(word);
      }
    }
  }
  return [...broken];
})()`;

test.each(['light', 'dark'] as const)(
  'in %s colours no page has a serious accessibility problem, or is wider than its window',
  async (scheme) => {
    const page = await use.open({ role: 'admin', scheme });
    const found: string[] = [];
    for (const one of pages) {
      await show(page, one);
      found.push(...(await seriousOf(page)).map((problem) => `${one.name}: ${problem}`));
      for (const width of [360, 1024, 1280, 1920]) {
        await page.setViewportSize({ width, height: width < 500 ? 800 : 900 });
        await page.screenshot({ path: join(picturesFolder, `${one.name}-${width}-${scheme}.png`) });
        const isWide = await page.evaluate('document.documentElement.scrollWidth > window.innerWidth');
        if (isWide) found.push(`${one.name}: wider than ${width} px`);
        const cut = await page.evaluate(
          '[...document.querySelectorAll("table")].filter((one) => one.scrollWidth > one.parentElement.clientWidth + 1).length',
        );
        if (cut) found.push(`${one.name}: a table is cut at ${width} px`);
        const broken = (await page.evaluate(brokenWords)) as string[];
        found.push(...broken.map((word) => `${one.name}: "${word}" breaks at ${width} px`));
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    expect(found).toEqual([]);
  },
);

test('dialogs and the palette have no serious accessibility problem', async () => {
  const page = await use.open({ role: 'admin' });
  await show(page, pages.find(({ name }) => name === 'purchase-order-held')!);
  await page.getByRole('button', { name: 'Release …' }).click();
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  expect(await seriousOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('PRC');
  await page.getByRole('option', { name: /PRC-1/ }).first().waitFor();
  expect(await seriousOf(page)).toEqual([]);
});

test('a browser without JavaScript reads a sentence', async () => {
  const answer = await fetch(use.console.url);
  expect(await answer.text()).toMatch(/<noscript>[\s\S]*needs JavaScript[\s\S]*<\/noscript>/);
});

/** Opens Today without running its program. A busy server answers without the first view, so this retries until it has one. */
const firstViewOf = async (page: Page) => {
  const sentence = page.locator('#first-view main').getByText(/^Needs you: /);
  const isDrawn = async () => {
    await page.goto('/', { waitUntil: 'commit' });
    return sentence.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isDrawn, { timeout: 120_000 }).toBe(true);
  return sentence;
};

test('Today can be read before its program has run, and looks the same afterwards', async () => {
  const page = await use.open({ role: 'admin' });
  let run: (() => void) | undefined;
  const mayRun = new Promise<void>((resolve) => {
    run = resolve;
  });
  await page.route('**/assets/app-*.js', async (route) => {
    await mayRun;
    await route.continue();
  });
  const sentence = await firstViewOf(page);
  const [words, place] = [await sentence.textContent(), await sentence.boundingBox()];
  await page.screenshot({ path: join(picturesFolder, 'first-view-1280-light.png') });
  // The first script of the page has run by then.
  await page.waitForLoadState('domcontentloaded');
  await page.keyboard.type('/PRC-1');
  run!();
  await page.locator('#first-view').waitFor({ state: 'detached' });
  const drawn = page.getByRole('main').getByText(/^Needs you: /);
  expect(await drawn.textContent()).toBe(words);
  expect((await drawn.boundingBox())!.x).toBe(place!.x);
  // Text typed before the program ran is searched.
  await page.getByRole('option', { name: /PRC-1/ }).first().waitFor();
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('PRC-1');
});

test('colours that a person has chosen are there before the program runs', async () => {
  const page = await use.open({ role: 'viewer', scheme: 'light' });
  await page.goto('/');
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.getByTitle('Live', { exact: true }).waitFor();
  const light = await background();
  await page.getByRole('button', { name: /^viewer/ }).click();
  await page.getByRole('radio', { name: 'Dark' }).check();
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await page.route('**/assets/app-*.js', () => {});
  await firstViewOf(page);
  await expect.poll(background).toBe(dark);
});

test('a link to something that the ledger no longer has says so', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/purchase-orders/999999');
  await page.getByText('This purchase order is not in the ledger').waitFor();
  await page.goto('/imports/999999');
  await page.getByText('This import is not in the ledger').waitFor();
});
