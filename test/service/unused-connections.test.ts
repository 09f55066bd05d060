import net from 'node:net';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/run-system.ts';

test('stops while clients hold connections without a request, or with half of one', async () => {
  const database = await createTestDatabase();
  // Node would close such connections only after this time, which is far longer than this test may take.
  const service = await startService(database.url, { requestTimeoutMs: 300_000 });
  const { port } = new URL(service.url);
  const open = (text: string) =>
    new Promise<net.Socket>((resolve) => {
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(text, () => resolve(socket)));
      socket.on('error', () => {});
    });
  const sockets = [await open(''), await open('GET /carts HTTP/1.1\r\nHost: x\r\n')];
  await service.stop();
  for (const socket of sockets) socket.destroy();
  expect(service.app.server.listening).toBe(false);
  await database.drop();
});
