// Receives the changes that Cartwright sends to a webhook, and writes tracking numbers into a shop.
//   SECRET    the secret of the webhook (accounts.NAME.sync.webhooks.NAME.secretEnv)
//   SHOP_URL  the shop; it gets PUT /orders/PO/tracking
//   PORT      where this program listens
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { SECRET = '', SHOP_URL, PORT = '8600' } = process.env;

const isSigned = (headers, body) => {
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = Buffer.from(`v1,${createHmac('sha256', SECRET).update(text).digest('base64')}`);
  const given = Buffer.from(headers['webhook-signature'] ?? '');
  const isRecent = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300;
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
};

const tellShop = async ({ type, subject, data }) => {
  const numbers = data.after?.tracking_numbers;
  if (type !== 'cartwright.order.changed' || numbers === undefined) return;
  const answer = await fetch(`${SHOP_URL}/orders/${encodeURIComponent(subject)}/tracking`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    // All numbers of this order, so that the same change can come twice.
    body: JSON.stringify({ orderNumber: data.orderNumber, trackingNumbers: numbers }),
  });
  if (!answer.ok) throw new Error(`The shop answered ${answer.status} for PO ${subject}.`);
};

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  try {
    for (const change of [JSON.parse(body)].flat()) await tellShop(change);
    response.writeHead(204).end();
  } catch (error) {
    // Not confirmed: Cartwright sends it again.
    console.error(error.message);
    response.writeHead(503).end();
  }
}).listen(Number(PORT), '127.0.0.1', function () {
  console.log(`listening on port ${this.address().port}`);
});
