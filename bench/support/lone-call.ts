import http from 'node:http';
import { got } from 'got';

/**
 * What a call takes, in ms, when it is alone: the mean over the calls that placing a PO of five lines makes, one
 * after the other. Leaves an order under each PO number that begins with LONE.
 */
export const loneCallMs = async (baseUrl: string, pos: number): Promise<number> => {
  const agent = new http.Agent({ keepAlive: true });
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 }, throwHttpErrors: false });
  let calls = 0;
  const call = async (method: 'GET' | 'POST', path: string, json?: object): Promise<void> => {
    calls += 1;
    await client(`${baseUrl}${path}`, { method, ...(json ? { json } : {}) });
  };
  const place = async (po: string): Promise<void> => {
    await call('GET', `/orders/${po}`);
    await call('GET', `/carts/${po}`);
    await call('POST', '/carts', { po_number: po });
    for (let line = 1; line <= 5; line += 1) {
      await call('POST', `/carts/${po}/items`, { item_sku: `SKU-${line}`, quantity: line });
    }
    await call('GET', `/orders/${po}`);
    await call('GET', `/carts/${po}`);
    await call('POST', '/orders', { po_number: po });
  };
  // The first ones warm both sides up.
  for (let po = 1; po <= 5; po += 1) await place(`LONE-WARM-${process.hrtime.bigint()}`);
  calls = 0;
  const begin = performance.now();
  for (let po = 1; po <= pos; po += 1) await place(`LONE-${process.hrtime.bigint()}`);
  const ms = (performance.now() - begin) / calls;
  agent.destroy();
  return ms;
};
