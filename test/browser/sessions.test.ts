import { expect, test } from 'vitest';
import { pricedFile, useBrowser } from './use-browser.ts';

const use = useBrowser();
const password = 'a wheel, a hub and ten spokes';

test('the one-time link makes the first admin, who can sign out and in again', async () => {
  const page = await use.open();
  await page.goto('/');
  await page.getByText('This console has no users yet').waitFor();
  await page.goto(use.console.firstLink!);
  await page.getByLabel('User name').fill('maria');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Password again').fill(password);
  await page.getByRole('button', { name: 'Create the first admin' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  expect(page.url()).not.toContain('#');
  await page.getByRole('button', { name: /^maria/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('User name').fill('maria');
  await page.getByLabel('Password', { exact: true }).fill('not this one at all');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Today' }).waitFor();
});

test('a session that ends in the middle of an action: sign in, and nothing is lost', async () => {
  await use.system.drop('north', 'late.csv', pricedFile('LATE-', 1));
  await use.system.settled(1);
  const page = await use.open();
  await page.goto('/purchase-orders?q=LATE-1');
  await page.getByLabel('User name').fill('maria');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'LATE-1' }).click();
  await page.getByRole('button', { name: 'Release …' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('kept while signing in');
  await page.context().clearCookies();
  // The page may have noticed already, and asks for the password above this dialog.
  await page.getByRole('button', { name: 'Release PO LATE-1' }).dispatchEvent('click');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
  // The dialog closes before the waiting requests are repeated.
  const recorded = async () => {
    const asked = `select note, who from operator_actions where action = 'release'`;
    return (await use.system.ledger.query(asked)).rows;
  };
  await expect.poll(recorded).toEqual([{ note: 'kept while signing in', who: 'maria' }]);
});

test('a page says when it is not live, and recovers', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  await page.getByTitle('Live', { exact: true }).waitFor();
  await page.route('**/api/v1/events', (route) => route.abort());
  // The page opens its stream again when it becomes visible.
  await page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
    Object.defineProperty(document, 'hidden', { value: false, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  `);
  await page.getByText('Not live, reconnecting.').waitFor();
  await page.unroute('**/api/v1/events');
  await page.getByText('Not live, reconnecting.').waitFor({ state: 'detached' });
});

test('who signs out in one tab is asked for the password in the others', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  const other = await page.context().newPage();
  await other.goto('/imports');
  await other.getByTitle('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^viewer/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await other.getByRole('dialog', { name: 'Your session has ended' }).waitFor({ timeout: 4000 });
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a page that changes elsewhere changes without a click', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/imports');
  await page.getByTitle('Live', { exact: true }).waitFor();
  await use.system.drop('north', 'appears.csv', pricedFile('APP-', 1));
  await page.getByRole('link', { name: 'appears.csv' }).waitFor();
});
