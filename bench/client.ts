import { once } from 'node:events';
import http from 'node:http';
import { got } from 'got';
import { createDealerApi } from '../src/dealer-api/create-dealer-api.ts';
import { createThrottle } from '../src/dealer-api/throttle.ts';
import { type Figure, median } from './support/figures.ts';
import { forkSibling } from './support/system.ts';

const calls = 2000;
const atOnce = 16;
const rounds = 5;

/** CPU time of this process per call, in ms. */
const cpuPerCall = async (call: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  let left = calls;
  const one = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const spent = process.cpuUsage(before);
  return (spent.user + spent.system) / 1000 / calls;
};

/** Compares the CPU time of one call of the client with the same request by got alone to the same server, in turns. */
export const run = async (): Promise<Figure[]> => {
  const server = forkSibling('constant-process', []);
  const [url] = (await once(server, 'message')) as [string];
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  const bare = got.extend({ agent: { http: agent }, retry: { limit: 0 }, timeout: { request: 30_000 } });
  const api = createDealerApi(
    {
      baseUrl: url,
      auth: { kind: 'none' },
      secret: undefined,
      requestFormat: 'json',
      dateRangeIn: 'query',
      maxAnswerBytes: 33_554_432,
      requestTimeoutMs: 30_000,
    },
    createThrottle(() => atOnce),
  );
  const item = { itemSku: 'SKU-1', quantity: 2 };
  const alone = () =>
    bare.post(`${url}/carts/PO-1/items`, { json: { item_sku: 'SKU-1', quantity: 2 } }).json();
  const client = () => api.addItem('PO-1', item, () => true);
  const ratios: number[] = [];
  const costs: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) {
      const gotMs = await cpuPerCall(alone);
      const clientMs = await cpuPerCall(client);
      // The first round is a warm-up.
      if (round === 0) continue;
      ratios.push(clientMs / gotMs);
      costs.push(clientMs);
    }
  } finally {
    api.stop();
    agent.destroy();
    server.disconnect();
  }
  return [
    { name: 'client CPU per call / got alone (median of 5)', value: median(ratios), target: '<= 1.25' },
    { name: 'client CPU per call', value: median(costs), unit: 'ms' },
  ];
};
