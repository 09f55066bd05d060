import { createServer } from 'node:net';

/** Listens on a port briefly. Rejects if the port is in use. @param wanted 0: any free port */
const tryPort = (wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

/**
 * A port of 127.0.0.1 that was free a moment ago.
 * @internal also used by tests
 */
export const findFreePort = (): Promise<number> => tryPort(0);

/** Operating systems choose the ports of outgoing connections from above this range. */
const serverPorts = { first: 20_000, count: 12_000 };

/**
 * A free port for a server that must come back at the same port: outgoing connections never use this range, so they
 * cannot take the port while the server is down.
 */
export const findServerPort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = serverPorts.first + Math.floor(Math.random() * serverPorts.count);
    const free = await tryPort(port).catch(() => undefined);
    if (free !== undefined) return free;
  }
  return findFreePort();
};
