import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { fileOf } from '../support/run-system.ts';
import { picturesFolder, pricedFile, useBrowser } from './use-browser.ts';

// Lines 10 and 14 of issue 31: settling, and the texts of the console.
const use = useBrowser({
  north: { schedule: { timeZone: 'America/Chicago', statusReport: '0 6 * * 1-5' } },
  south: {},
});
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const picture = (name: string) => join(picturesFolder, `${name}.png`);

const seriousOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
};

const pool = () => use.runtime.ledger.pool;
let nth = 0;
const newImport = (row: object = {}) => {
  nth += 1;
  return insertImport(pool(), { account: 'north', sha256: `repair ${nth}`, read_at: new Date(), ...row });
};
const addTo = (importId: string) => (poNumber: string, row: object) =>
  insertPurchaseOrder(pool(), importId, poNumber, { account: 'north', ...row });
/** The entry of Today with this text. */
const entry = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text });
const confirm = async (page: Page, name: RegExp, note?: string) => {
  const dialog = page.getByRole('dialog');
  if (note) await dialog.getByRole('textbox', { name: 'Note' }).fill(note);
  await dialog.getByRole('button', { name }).click();
  return dialog;
};

test('10: failed POs of one cause are one entry, are marked as not needed together with a note, and are taken back', async () => {
  const add = addTo(await newImport({ file_name: 'ten.csv' }));
  const failed = { state: 'failed', reason_code: 'refused_by_service' };
  for (const number of ['TEN-1', 'TEN-2', 'TEN-3'])
    await add(number, { ...failed, reason_text: 'The service refused it: no such item.' });
  await add('TEN-4', { ...failed, reason_text: 'The service refused it: the address is unknown.' });
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByText('Needs you: 4 POs failed').waitFor();
  const group = entry(page, '3 failed: The service refused it: no such item.');
  await group.getByRole('button', { name: 'Not needed …' }).click();
  await page.screenshot({ path: picture('today-groups'), fullPage: true });
  const dialog = await confirm(page, /^Mark 3 purchase orders as not needed$/, 'wrong catalogue');
  await dialog.getByText('3 of 3 purchase orders tried, 3 changed.').waitFor();
  await dialog.getByText('Close', { exact: true }).click();
  await page.getByText('Needs you: 1 PO failed.').waitFor();

  // Settled POs are listed in grey, with who settled them and a way to undo it.
  await page.getByRole('link', { name: 'POs not needed', exact: true }).click();
  await page.getByText('Failed, not needed').nth(2).waitFor();
  await page.screenshot({ path: picture('not-needed'), fullPage: true });
  await page.getByRole('link', { name: 'TEN-1' }).click();
  await page.getByText('A person says that it is not needed.').waitFor();
  await page.getByText('wrong catalogue').waitFor();
  await page.getByRole('button', { name: 'Needed after all …' }).click();
  await confirm(page, /as needed again$/);
  await page.getByRole('button', { name: 'Not needed …' }).waitFor();
  await page.goto('/');
  await page.getByText('Needs you: 2 POs failed.').waitFor();
  await pool().query(`update purchase_orders set alarm_settled_at = now() where po_number like 'TEN-%'`);
}, 120_000);

test('10: refused files of one cause, and alarms of one, are marked as not needed with one action', async () => {
  const refused = { state: 'refused', reason_code: 'columns_missing', reason_text: 'It has no quantities.' };
  for (const name of ['a.csv', 'b.csv']) await newImport({ ...refused, file_name: name });
  const add = addTo(await newImport());
  const differs = { state: 'ordered', ordered_at: new Date() };
  await add('DIF-1', { ...differs, alarm: 'The service shows larger quantities: 9 X and not 2.' });
  await add('DIF-2', { ...differs, alarm: 'The service shows larger quantities: 4 Y and not 1.' });
  const page = await use.open({ role: 'operator', width: 1440 });
  await page.goto('/');
  await page.getByText('Needs you: 2 files refused, 2 alarms.').waitFor();
  await entry(page, '2 files refused for the same reason')
    .getByRole('button', { name: 'Not needed …' })
    .click();
  await confirm(page, /^Mark 2 files as not needed$/, 'sent by mistake');
  await page.getByText('Needs you: 2 alarms.').waitFor();
  await entry(page, '2 differ from their files').getByRole('button', { name: 'Not needed …' }).click();
  const dialog = await confirm(page, /^Mark 2 purchase orders as not needed$/);
  await dialog.getByText('Close', { exact: true }).click();
  await page.getByText('All quiet: nothing needs you').waitFor();
  await page.goto('/imports?outcome=not_needed');
  await page.getByRole('link', { name: 'a.csv' }).click();
  await page.getByText('A person says that this file is not needed.').waitFor();
  await page.screenshot({ path: picture('file-not-needed'), fullPage: true });
  await page.getByRole('button', { name: 'Needed after all …' }).click();
  await confirm(page, /as needed again$/);
  await page.getByText('Refused', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Not needed …' }).click();
  await confirm(page, /as not needed$/);
  await page.getByRole('button', { name: 'Needed after all …' }).waitFor();
}, 120_000);

test('10: what is assigned to a person is theirs under Mine, which the address keeps', async () => {
  const add = addTo(await newImport());
  const failed = { state: 'failed', reason_code: 'refused_by_service', reason_text: 'No such item.' };
  await add('MINE-1', failed);
  await add('OTHER-1', { ...failed, reason_text: 'No such address.' });
  const page = await use.open({ role: 'operator' });
  const [me] = use.users.slice(-1);
  await page.goto('/');
  await entry(page, '1 failed: No such item.').getByRole('button', { name: 'Assign …' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByLabel('Who takes care of it').inputValue()).toBe(me);
  await page.screenshot({ path: picture('assign') });
  await confirm(page, /^Assign 1 purchase order$/);
  await dialog.getByText('Close', { exact: true }).click();
  await entry(page, `assigned to ${me}`).waitFor();
  await page.getByRole('link', { name: 'Mine', exact: true }).click();
  await page.getByText('Needs you: 1 PO failed.').waitFor();
  expect(new URL(page.url()).search).toBe('?mine=true');
  await page.reload();
  await page.getByText('Needs you: 1 PO failed.').waitFor();
  expect(await page.getByText('No such address.').count()).toBe(0);
  await page.screenshot({ path: picture('today-mine'), fullPage: true });
  const other = await use.open({ role: 'operator' });
  await other.goto('/?mine=true');
  await other.getByText('Nothing is assigned to you.').waitFor();
  const viewer = await use.open({ role: 'viewer' });
  await viewer.goto('/');
  await viewer.getByText('Needs you: 2 POs failed.').waitFor();
  expect(await viewer.getByRole('button', { name: /Not needed|Assign/ }).count()).toBe(0);
  await pool().query(`update purchase_orders set alarm_settled_at = now() where state = 'failed'`);
}, 120_000);

test('14: an import of which all POs are held waits for you, and corrected rejections are grey and not counted', async () => {
  await use.system.drop('north', 'held.csv', pricedFile('HELD-', 3));
  await use.system.drop('north', 'wrong.csv', 'po_number,item_sku,quantity\nFIX-1,SKU-1,two\n');
  await expect
    .poll(
      async () =>
        (await pool().query(`select from imports where file_name = 'wrong.csv' and read_at is not null`))
          .rowCount,
    )
    .toBe(1);
  await use.system.drop('north', 'right.csv', fileOf(new Map([['FIX-1', { 'SKU-1': 2 }]])));
  await expect
    .poll(
      async () =>
        (await pool().query(`select from purchase_orders where po_number = 'FIX-1' and state = 'ordered'`))
          .rowCount,
      { timeout: 60_000 },
    )
    .toBe(1);
  await pool().query(
    `update purchase_orders set state = 'held', reason_code = 'price_above', changed_at = now() where po_number like 'HELD-%'`,
  );
  const page = await use.open({ role: 'operator' });
  await page.goto('/imports');
  const row = page.getByRole('row', { name: /held\.csv/ });
  await row.getByText('Waiting for you').waitFor();
  await page.screenshot({ path: picture('imports-waiting'), fullPage: true });
  await row.getByRole('link', { name: 'held.csv' }).click();
  await page.getByText('Waiting for you: 3 held.').first().waitFor();
  await page.goto('/purchase-orders?q=FIX-1');
  await page.getByText('Rejected, corrected').waitFor();
  await page.goto('/purchase-orders');
  const states = page.getByLabel('State', { exact: true });
  await expect
    .poll(() => states.getByRole('option', { name: /^Rejected/ }).allInnerTexts())
    .toEqual(['Rejected']);
  await pool().query(
    `update purchase_orders set state = 'cancelled', reason_code = null where po_number like 'HELD-%'`,
  );
}, 120_000);

test('14: a run over many POs is one line of Activity, which opens', async () => {
  const add = addTo(await newImport());
  for (const number of ['RUN-1', 'RUN-2'])
    await add(number, { state: 'failed', reason_code: 'refused_by_service', reason_text: 'Refused.' });
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await entry(page, '2 failed: Refused.').getByRole('button', { name: 'Not needed …' }).click();
  const dialog = await confirm(page, /^Mark 2 purchase orders/);
  await dialog.getByText('2 changed.').waitFor();
  await dialog.getByText('Close', { exact: true }).click();
  await page.goto('/activity');
  const line = page.getByRole('row', { name: /Started to mark many as not needed/ }).first();
  expect(await line.getByRole('link', { name: /RUN-/ }).count()).toBe(0);
  expect(await page.getByRole('row', { name: /RUN-1/ }).count()).toBe(0);
  await line.getByText('2 purchase orders').click();
  await line.getByRole('link', { name: /RUN-1/ }).waitFor();
  await page.screenshot({ path: picture('activity-run'), fullPage: true });
  await line.getByRole('link', { name: 'The action and its progress' }).click();
  await page.getByText('What it changed').waitFor();
  await page.getByRole('link', { name: /RUN-2/ }).waitFor();
}, 120_000);

test('14: schedules, statuses of the service and pauses are said in words, with what to do', async () => {
  const page = await use.open({ role: 'operator' });
  await page.goto('/accounts/north');
  await page.getByText('Monday to Friday at 06:00 (America/Chicago)').waitFor();
  const po = await addTo(await newImport())('OE-1', { state: 'ordered', ordered_at: new Date() });
  await insertRow(pool(), 'orders', {
    ...{
      account: 'north',
      purchase_order_id: po,
      po_number: 'OE-1',
      order_number: 'SO-OE',
      order_status: 'In O/E',
    },
  });
  const meaning = /In order entry: the service has it, and nothing is picked yet/i;
  for (const path of ['/accounts/north', `/purchase-orders/${po}`]) {
    await page.goto(path);
    await page.getByText(meaning).first().waitFor();
  }
  await page.goto('/orders?q=SO-OE');
  await page.getByText('What these statuses mean').click();
  await page.getByText(meaning).first().waitFor();
  await page.screenshot({ path: picture('statuses'), fullPage: true });

  await pool().query(
    `insert into account_states (account, pause_code, pause_reason, paused_since, paused_until)
     values ('south', 'credential_refused', 'The service answers 401.', now(), now() + interval '1 hour')
     on conflict (account) do update set pause_code = excluded.pause_code, pause_reason = excluded.pause_reason,
       paused_since = excluded.paused_since, paused_until = excluded.paused_until`,
  );
  const waiting = await insertPurchaseOrder(pool(), await newImport({ account: 'south' }), 'PAU-1', {
    account: 'south',
  });
  const remedy =
    /Ask the administrator of Cartwright to renew the login of the account, then resume the account\./;
  for (const path of ['/', '/accounts', '/accounts/south', `/purchase-orders/${waiting}`]) {
    await page.goto(path);
    await page.getByText(remedy).first().waitFor();
    await page.getByRole('button', { name: 'Resume …' }).first().waitFor();
  }
  await page.screenshot({ path: picture('paused-po'), fullPage: true });
  await page.goto('/');
  await page.screenshot({ path: picture('paused-today'), fullPage: true });
  await page.getByRole('button', { name: 'Resume …' }).first().click();
  await confirm(page, /^Resume south$/);
  await page.getByText('south is resumed.').first().waitFor();
}, 120_000);

test('14: the queue board is within the frame of the console', async () => {
  const page = await use.open({ role: 'admin' });
  await page.goto('/queues-view');
  const board = page.frameLocator('iframe[title="The queue board"]');
  await board.getByText(/jobs/i).first().waitFor();
  await page.getByRole('link', { name: 'Today' }).waitFor();
  await page.screenshot({ path: picture('queue-board'), fullPage: true });
  // Also when one of its pages is opened directly.
  await page.goto('/queues/queue/create-cart');
  await page.getByRole('link', { name: 'Today' }).waitFor();
  await board.getByText('create-cart').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/queues-view');
}, 120_000);

test.each([
  ['light', 390],
  ['dark', 1024],
] as const)(
  'Today with groups is accessible: %s, %i px',
  async (scheme, width) => {
    const add = addTo(await newImport());
    await add(`AXE-${width}`, {
      state: 'failed',
      reason_code: 'refused_by_service',
      reason_text: 'Refused by axe.',
    });
    await add(`AXA-${width}`, {
      state: 'ordered',
      ordered_at: new Date(),
      alarm: 'The service shows more: 9.',
    });
    await newImport({ state: 'refused', file_name: `axe ${width}.csv`, reason_text: 'It has no rows.' });
    const page = await use.open({ role: 'operator', scheme, width });
    await page.goto('/');
    await page.getByRole('button', { name: 'Assign …' }).first().waitFor();
    expect(await seriousOf(page)).toEqual([]);
    await page.screenshot({ path: picture(`today-settle-${width}-${scheme}`), fullPage: true });
    await page.getByRole('button', { name: 'Assign …' }).first().click();
    await page.getByLabel('Who takes care of it').waitFor();
    expect(await seriousOf(page)).toEqual([]);
  },
  120_000,
);
