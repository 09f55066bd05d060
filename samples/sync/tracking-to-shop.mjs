// Writes tracking numbers back into a shop: reads what has changed since the last run, and tells the shop's REST API.
// Run it every few minutes: node tracking-to-shop.mjs
//   CARTWRIGHT_URL, CARTWRIGHT_API_TOKEN  the console, and a token with the role viewer
//   SHOP_URL                              the shop; it gets PUT /orders/PO/tracking
//   CURSOR_FILE                           where this program remembers how far it has read
import { readFile, rename, writeFile } from 'node:fs/promises';

const { CARTWRIGHT_URL, CARTWRIGHT_API_TOKEN, SHOP_URL, CURSOR_FILE = 'cursor.txt' } = process.env;
const headers = { authorization: `Bearer ${CARTWRIGHT_API_TOKEN}` };

const tellShop = async ({ type, subject, data }) => {
  const numbers = data.after?.tracking_numbers;
  if (type !== 'cartwright.order.changed' || numbers === undefined) return;
  const answer = await fetch(`${SHOP_URL}/orders/${encodeURIComponent(subject)}/tracking`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    // All numbers of this order: the same again if this program was stopped before it saved the cursor.
    body: JSON.stringify({ orderNumber: data.orderNumber, trackingNumbers: numbers }),
  });
  if (!answer.ok) throw new Error(`The shop answered ${answer.status} for PO ${subject}.`);
};

let cursor = await readFile(CURSOR_FILE, 'utf8').catch(() => '');
for (let more = true; more; ) {
  const asked = new URL('/api/v1/changes', CARTWRIGHT_URL);
  if (cursor) asked.searchParams.set('after', cursor);
  const answer = await fetch(asked, { headers });
  const page = await answer.json();
  if (answer.status === 410) {
    // The ledger was restored, or this program did not run for 30 days: start again with the oldest change that is kept.
    console.error(page.detail);
    cursor = '';
    continue;
  }
  if (!answer.ok) throw new Error(page.detail);
  for (const change of page.changes) await tellShop(change);
  ({ next: cursor, more } = page);
  // After the shop has answered, and in one step, so that a kill repeats changes and never skips one.
  await writeFile(`${CURSOR_FILE}.new`, cursor);
  await rename(`${CURSOR_FILE}.new`, CURSOR_FILE);
}
