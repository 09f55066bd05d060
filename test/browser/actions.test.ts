import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fileOf, somePos } from '../support/run-system.ts';
import { pricedFile, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {}, rhein: { schedule: { timeZone: 'Asia/Tokyo' } } });

test('selected POs are cancelled together, then all that match the filter', async () => {
  await use.system.drop('north', 'many.csv', pricedFile('SEL-', 105));
  await use.system.settled(1);
  const page = await use.open({ role: 'operator' });
  await page.goto('/purchase-orders?state=held&account=north');
  for (const po of ['SEL-104', 'SEL-105'])
    await page.getByRole('checkbox', { name: `Select PO ${po}`, exact: true }).check();
  await page.getByRole('button', { name: 'Cancel …' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^SEL-10[45], SEL-10[45]$/)
    .waitFor();
  await page.getByRole('button', { name: 'Cancel 2 purchase orders' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'SEL-104' }).waitFor({ state: 'detached' });
  await page.getByRole('checkbox', { name: 'Select all rows on this page' }).check();
  await page.getByRole('button', { name: 'Select all 103 that match the filter' }).click();
  await page.getByRole('button', { name: 'Cancel …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel 103 purchase orders' }).click();
  await page.getByText('103 of 103 purchase orders tried').waitFor({ timeout: 60_000 });
  await use.system.settled(1);
  const { rows } = await use.system.ledger.query(`select distinct state from purchase_orders`);
  expect(rows).toEqual([{ state: 'cancelled' }]);
}, 120_000);

test('an account is paused and resumed, its statuses are fetched now, and Activity has it all as CSV', async () => {
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByRole('link', { name: 'rhein' }).click();
  const act = async (button: string, confirm: string, note: string) => {
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Note' }).fill(note);
    await dialog.getByRole('button', { name: confirm }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await act('Pause …', 'Pause rhein', 'stocktaking');
  await page.getByText(/rhein is paused until a person resumes it.*stocktaking/).waitFor();
  await act('Resume …', 'Resume rhein', 'counted');
  await page.getByText('rhein is working.').waitFor();
  const polls = page.getByRole('row', { name: /Fetch order statuses/ });
  await polls.getByRole('button', { name: 'Run now …' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Fetch order statuses now' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goto('/reports');
  await page.getByRole('button', { name: 'Write a status report now …' }).click();
  await page.getByRole('dialog').getByRole('combobox', { name: 'Account' }).selectOption('rhein');
  await page.getByRole('button', { name: 'Write it now' }).click();
  for (const ending of [
    /^Download .*rhein.*\d\.csv$/,
    /^Download .*rhein.*\.lines\.csv$/,
    /^Download .*rhein.*\.xlsx$/,
  ])
    await page.getByRole('link', { name: ending }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Activity', exact: true }).click();
  await page
    .getByRole('row', { name: /stocktaking/ })
    .getByText('Paused the account')
    .waitFor();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Asked for order statuses');
  await page.getByRole('row', { name: /stocktaking/ }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: /Asked for order statuses.*rhein/ }).waitFor();
  await page.getByRole('combobox', { name: 'Action' }).selectOption('All actions');
  await page.getByRole('row', { name: /stocktaking/ }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV', exact: true }).click(),
  ]);
  const text = await readFile((await download.path())!, 'utf8');
  for (const action of ['pause_account', 'resume_account', 'run_poll', 'run_report'])
    expect(text).toContain(`,${action},rhein,`);
}, 120_000);

test('a column of times has one zone, which its heading names', async () => {
  const page = await use.open({ role: 'admin' });
  await page.goto('/activity');
  await page.getByRole('row', { name: /stocktaking/ }).waitFor();
  const zonesOf = async () => {
    const titles = await page.locator('table time').evaluateAll((times) => times.map(({ title }) => title));
    return [...new Set(titles.map((title) => /\((.*)\)$/.exec(title)![1]))];
  };
  const own = await page.evaluate('Intl.DateTimeFormat().resolvedOptions().timeZone');
  await page.getByRole('columnheader', { name: `When (${own})` }).waitFor();
  expect(await zonesOf()).toEqual([own]);
  await page.goto('/activity?account=rhein');
  await page.getByRole('columnheader', { name: 'When (Asia/Tokyo)' }).waitFor();
  expect(await zonesOf()).toEqual(['Asia/Tokyo']);
});

test('a time in an address that is none is named, and no list is shown as if it were limited', async () => {
  const page = await use.open({ role: 'admin' });
  for (const path of ['/activity?since=lastweek', '/imports?from=lastweek', '/reports?from=lastweek']) {
    await page.goto(path);
    await page.getByText(/^(?:since|from) must be a time such as \S+Z\.$/).waitFor();
  }
});

test('who sees one account finds nothing of another one anywhere', async () => {
  await use.system.drop('rhein', 'rhein-only.csv', fileOf(somePos('RH-', 2)));
  await use.system.settled(2);
  const page = await use.open({ role: 'operator', accounts: ['rhein'] });
  for (const path of ['/', '/purchase-orders', '/imports', '/accounts', '/reports', '/activity']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    expect(await page.getByRole('main').innerText(), path).not.toMatch(/SEL-|many\.csv|north/);
  }
  await page.goto('/imports/1');
  await page.getByText('This import is not in the ledger').waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('SEL-1');
  await page
    .getByText(/Nothing/)
    .first()
    .waitFor();
});

test('a viewer is offered no button that changes anything', async () => {
  const page = await use.open({ role: 'viewer' });
  for (const path of ['/', '/imports/1', '/accounts/north', '/reports?account=north', '/users', '/tokens']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    const names = await page.getByRole('main').getByRole('button').allInnerTexts();
    expect(
      names.filter((name) => /…$|^(Release|Cancel|Retry|Run|Pause|Resume|Write)/.test(name)),
      path,
    ).toEqual([]);
  }
});
