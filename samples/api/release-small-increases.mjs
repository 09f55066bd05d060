// Releases POs that are held because prices have risen (price_above), where the whole PO costs only a little more than its file says.
// Run it every hour: node release-small-increases.mjs
//   CARTWRIGHT_URL, CARTWRIGHT_API_TOKEN  the console, and a token with the role operator
//   MAX_PERCENT                           release up to this increase (default 2)
const { CARTWRIGHT_URL, CARTWRIGHT_API_TOKEN, MAX_PERCENT = '2' } = process.env;

const ask = async (path, body) => {
  const answer = await fetch(`${CARTWRIGHT_URL}/api/v1${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${CARTWRIGHT_API_TOKEN}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(content.detail ?? content.title);
  return content;
};

const held = async function* () {
  let cursor;
  do {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { items, next } = await ask(
      `/purchase-orders?state=held&reason=price_above&quote=false&limit=200${more}`,
    );
    yield* items;
    cursor = next ?? undefined;
  } while (cursor !== undefined);
};

for await (const { id } of held()) {
  const { poNumber, account, changedAt, priceDifference } = await ask(`/purchase-orders/${id}`);
  const percent = priceDifference?.percent ?? null;
  if (percent === null || percent > Number(MAX_PERCENT)) continue;
  const note = `${percent} % above the file, within the ${MAX_PERCENT} % that were agreed`;
  // With `changedAt`, a PO that changed after it was read here is not released.
  const { sentence } = await ask('/purchase-orders/actions', {
    ...{ action: 'release', items: [{ id, changedAt }], note },
  }).catch(({ message }) => ({ sentence: message }));
  console.log(`${account}, ${poNumber}: ${sentence}`);
}
