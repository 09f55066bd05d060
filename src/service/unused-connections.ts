import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks the connections of a server on which no request has arrived. Node does not count them as idle, so a closing server
 * would wait for them until its header timeout.
 *
 * @returns a function that cuts those connections
 */
export const followUnused = (server: Server): (() => void) => {
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }) => unused.delete(socket));
  return () => {
    for (const socket of unused) socket.destroy();
  };
};
