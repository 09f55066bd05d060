import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileOf, somePos } from '../support/run-system.ts';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {} });

test('of an alarm it is said with a note on the page of its PO that nothing is needed, and Today no longer counts it', async () => {
  await use.system.drop('north', 'one.csv', fileOf(somePos('AL-', 1)));
  await use.system.settled(1);
  const alarm =
    'The service shows larger quantities under this PO number than the file asks for: 9 SKU-1 and not 2.';
  const { rows } = await use.system.ledger.query(
    'update purchase_orders set alarm = $1, changed_at = clock_timestamp() returning po_number as po',
    [alarm],
  );
  const { po } = rows[0];
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByText('Needs you: 1 alarm').waitFor();
  await page.getByRole('link', { name: po }).first().click();
  await page.getByText(alarm).first().waitFor();
  mkdirSync(picturesFolder, { recursive: true });
  await page.screenshot({ path: join(picturesFolder, 'alarm.png'), fullPage: true });
  await page.getByRole('button', { name: 'Not needed …' }).click();
  const dialog = page.getByRole('dialog');
  await page.screenshot({ path: join(picturesFolder, 'settle-dialog.png') });
  await dialog.getByRole('textbox', { name: 'Note' }).fill('the dealer wants nine');
  await dialog.getByRole('button', { name: /^Mark .* as not needed/ }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Not needed …' }).waitFor({ state: 'detached' });
  await page.getByText('the dealer wants nine').first().waitFor();
  // A settled alarm stays readable.
  await page.getByText(`the dealer wants nine · ${alarm}`).waitFor();
  await page.screenshot({ path: join(picturesFolder, 'settled.png'), fullPage: true });
  await page.goto('/');
  await page.getByText('All quiet: nothing needs you').waitFor();
  expect((await use.system.ledger.query('select alarm from purchase_orders')).rows).toEqual([{ alarm }]);
}, 120_000);
