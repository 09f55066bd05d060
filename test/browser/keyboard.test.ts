import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pricedFile, useBrowser } from './use-browser.ts';

const use = useBrowser();

/** Presses Tab until the focus is on the element with this accessible text. */
const tabTo = async (page: Page, text: RegExp): Promise<void> => {
  const seen: string[] = [];
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const { name, visible } = (await page.evaluate(`(() => {
      const element = document.activeElement;
      const label = element.getAttribute('aria-label') || (element.labels && element.labels[0]?.textContent) || element.textContent;
      const style = getComputedStyle(element);
      return { name: label ?? '', visible: style.outlineStyle !== 'none' || style.borderColor !== '' };
    })()`)) as { name: string; visible: boolean };
    expect(visible, `the focus is visible on ${name}`).toBe(true);
    if (text.test(name)) return;
    seen.push(name.slice(0, 30));
  }
  throw new Error(`Tab never reached ${text}; it reached ${seen.join(' | ')}`);
};

test('what is held is released from the front page with the keyboard alone', async () => {
  await use.system.drop('north', 'prices.csv', pricedFile('KEY-', 20));
  await use.system.settled(1);
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByRole('link', { name: /^20 held/ }).waitFor();
  await tabTo(page, /^Release …$/);
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Note' }).waitFor();
  await tabTo(page, /^Note/);
  await page.keyboard.type('by keyboard');
  await tabTo(page, /^Release 20 purchase orders$/);
  await page.keyboard.press('Enter');
  await page.getByText('20 of 20 purchase orders tried').waitFor({ timeout: 60_000 });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await use.system.settled(1);
  const { rows } = await use.system.ledger.query(
    `select state, count(*)::int from purchase_orders group by state`,
  );
  expect(rows).toEqual([{ state: 'ordered', count: 20 }]);
}, 120_000);

test('a dialog keeps the focus, and gives it back', async () => {
  const page = await use.open({ role: 'operator' });
  await use.system.drop('north', 'one.csv', pricedFile('TRAP-', 1));
  await use.system.settled(2);
  await page.goto('/purchase-orders?q=TRAP');
  await page.getByRole('link', { name: 'TRAP-1' }).click();
  await page.getByRole('button', { name: 'Release …' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('textbox').waitFor();
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('Boolean(document.activeElement.closest("[role=dialog]"))')).toBe(true);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Release …');
});

const focused = (page: Page) =>
  page.evaluate(`(() => {
    const { activeElement } = document;
    return activeElement.closest('[role=dialog]')
      ? (activeElement.labels?.[0]?.textContent ?? activeElement.textContent)
      : activeElement.tagName;
  })()`);

test('the focus begins in the first field of a dialog, and stays in the dialog when its content changes', async () => {
  const page = await use.open({ role: 'operator' });
  await use.system.drop('north', 'focus.csv', pricedFile('FOCUS-', 3));
  await use.system.settled(3);
  await page.goto('/');
  await page.getByRole('button', { name: 'Release …' }).click();
  await page.getByRole('dialog', { name: /^Release \d+ purchase orders\?$/ }).waitFor();
  await expect.poll(() => focused(page)).toBe('Note');
  await tabTo(page, /^Release \d+ purchase orders$/);
  await page.keyboard.press('Enter');
  await page.getByText(/of \d+ purchase orders tried/).waitFor();
  await expect.poll(() => focused(page)).toMatch(/^(?:Stop after the current|Continue working|Close)/);
  await page.getByText('Finished').waitFor();
  await expect.poll(() => focused(page)).toBe('Close');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}, 120_000);
