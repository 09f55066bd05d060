import { afterAll, afterEach, beforeAll } from 'vitest';
import type { ApiOptions } from '../../src/dealer-api/options.ts';
import { type Call, createTransport, type Throttle } from '../../src/dealer-api/transport.ts';
import { type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const unlimited: Throttle = { enter: async () => () => {} };

const readFine = (body: unknown) => (body as { fine?: string }).fine;
export const post: Call<string> = {
  name: 'createOrder',
  method: 'POST',
  path: '/carts',
  body: { po_number: 'PO-1' },
  read: readFine,
};
export const get: Call<string> = { name: 'showCart', method: 'GET', path: '/orders/1', read: readFine };

/** For all tests of a file: one scripted server, and transports to it that are closed after each test. */
export const useTransport = () => {
  const transports: ReturnType<typeof createTransport>[] = [];
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => {
    for (const transport of transports.splice(0)) transport.stop();
  });
  afterAll(() => server.stop());
  return {
    get server() {
      return server;
    },
    transport: (over: Partial<ApiOptions> = {}, throttle = unlimited) => {
      const made = createTransport(
        {
          baseUrl: server.url,
          auth: { kind: 'none' },
          secret: undefined,
          requestFormat: 'json',
          dateRangeIn: 'query',
          requestTimeoutMs: 10_000,
          maxAnswerBytes: 32 * 1024 * 1024,
          ...over,
        },
        throttle,
      );
      transports.push(made);
      return made;
    },
  };
};
