import http, { type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy to a service that can leave lists of orders without an answer; all other calls pass. */
export interface HangingLists {
  url: string;
  /** Stops answering lists from now on. */
  hang(): void;
  /** Number of lists that wait for an answer now. */
  waiting(): number;
  stop(): void;
}

export const startHangingLists = async (serviceUrl: string): Promise<HangingLists> => {
  const { hostname, port: servicePort } = new URL(serviceUrl);
  const agent = new http.Agent({ keepAlive: true });
  const waiting = new Set<ServerResponse>();
  let hanging = false;
  const server: Server = http.createServer((request, response) => {
    if (hanging && request.method === 'GET' && request.url?.startsWith('/orders?')) {
      waiting.add(response);
      response.on('close', () => waiting.delete(response));
      return;
    }
    const { method, url: path, headers } = request;
    const onward = http.request({ agent, hostname, port: servicePort, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hang: () => {
      hanging = true;
    },
    waiting: () => waiting.size,
    stop: () => {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
};
