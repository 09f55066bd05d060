import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export type Script = (answer: http.ServerResponse, socket: Socket, received: Received) => void;

export interface ScriptedServer {
  url: string;
  port: number;
  received: Received[];
  /** Handles each request after it was received completely. */
  script: Script;
  /** Resolves when the next request was received completely. */
  next(): Promise<Received>;
  stop(): Promise<void>;
}

/** A service on loopback that handles each request as the test scripts it. */
export const startScriptedServer = async (): Promise<ScriptedServer> => {
  const waiting: ((received: Received) => void)[] = [];
  const server = http.createServer(async (request, answer) => {
    const { method, url, headers, socket } = request;
    let body = '';
    for await (const chunk of request) body += chunk;
    const received = { method: method!, url: url!, headers, body };
    scripted.received.push(received);
    waiting.shift()?.(received);
    scripted.script(answer, socket, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scripted: ScriptedServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    received: [],
    script: (answer) => answer.end(),
    next: () => new Promise((resolve) => waiting.push(resolve)),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return scripted;
};

/** A script that answers each request with this. */
export const answers =
  (
    status: number,
    body = '',
    headers: Record<string, string> = { 'content-type': 'application/json' },
  ): Script =>
  (answer) => {
    answer.writeHead(status, headers).end(body);
  };
