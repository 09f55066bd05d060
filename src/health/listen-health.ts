import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Health } from './create-health.ts';

export interface ListenHealthOptions {
  host: string;
  port: number;
  /** The address is reachable only from this machine, so every caller may read the metrics. */
  isLocal: boolean;
  /** Whether a request names this server; foreign names are how web pages reach local servers. */
  isOwnHost(host: string | undefined): boolean;
  isTokenValid(token: string): Promise<boolean>;
  logger: Logger;
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

const json = (status: number, value: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  text: `${JSON.stringify(value)}\n`,
});

const answer = async (
  health: Health,
  { method, url, headers }: IncomingMessage,
  { isLocal, isOwnHost, isTokenValid }: ListenHealthOptions,
): Promise<Answer> => {
  const path = url?.split('?')[0];
  if (method !== 'GET' && method !== 'HEAD')
    return json(405, { error: 'Only GET and HEAD are answered here.' });
  if (path === '/healthz') return json(200, { status: 'ok' });
  if (path === '/readyz') {
    const readiness = await health.readiness();
    return json(readiness.ready ? 200 : 503, readiness);
  }
  if (path !== '/metrics')
    return json(404, { error: 'This server has /healthz, /readyz and /metrics only.' });
  if (isLocal && !isOwnHost(headers.host))
    return json(403, { error: 'Ask for this server under an address of this machine, such as 127.0.0.1.' });
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (!isLocal && !(token !== undefined && (await isTokenValid(token)))) {
    return json(401, {
      error: 'Send a token for all accounts as `Authorization: Bearer …`; `cartwright tokens add` makes one.',
    });
  }
  const { contentType, text } = await health.metrics();
  return { status: 200, type: contentType, text };
};

/**
 * Serves health and metrics of a process without a console.
 *
 * @throws UserError `port_taken`
 */
export const listenHealth = async (
  health: Health,
  options: ListenHealthOptions,
): Promise<{ url: string; stop(): Promise<void> }> => {
  const { host, port, logger } = options;
  const server = createServer((request, response) => {
    answer(health, request, options)
      .catch((err: unknown) => {
        logger.error({ err }, 'a request for health or metrics failed');
        return json(503, { error: 'This cannot be answered at the moment; the log says why.' });
      })
      .then(({ status, type, text }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : text);
      });
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (thrown) {
    health.stop();
    if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw thrown;
    // No other port: nobody would ask there, and monitoring would raise a false alarm about this process.
    throw new UserError(
      'port_taken',
      `Port ${port} of ${host} is used by another program, so health and metrics cannot be served there. Set health.port to a free port, or end that program.`,
    );
  }
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop: async () => {
      health.stop();
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      server.closeAllConnections();
      await closed;
    },
  };
};
