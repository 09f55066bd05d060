import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { boundary, contentType, useUploads } from './use-uploads.ts';

const { use, operator, rootOf, waiting } = useUploads({ maxMb: 200 });
const megabyte = 1_048_576;
const sizeMb = 199;
/** More than the buffers of a connection and a disk, but only a fraction of the file. */
const mostMb = 80;

test('a file of 200 MB is streamed to disk, and memory stays flat', async () => {
  const { hostname, port } = new URL(await use.app.listen({ port: 0, host: '127.0.0.1' }));
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const first = Buffer.from(`PO Number,SKU,Qty\n`.padEnd(64, ' '));
  const chunk = Buffer.from('LARGE-1,A-1,5\n'.padEnd(64, ' ').repeat(megabyte / 64));
  const { host: _, ...headers }: Record<string, string> = { ...operator(), ...contentType };
  const length = head.length + first.length + sizeMb * megabyte + tail.length;
  const upload = request({
    hostname,
    port,
    method: 'POST',
    path: '/api/v1/uploads?account=north',
    headers: { ...headers, 'content-length': length },
  });
  const answered = once(upload, 'response');
  upload.write(head);
  upload.write(first);
  const before = process.memoryUsage();
  let most = 0;
  for (let sent = 0; sent < sizeMb; sent += 1) {
    if (!upload.write(chunk)) await once(upload, 'drain');
    await turn();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    most = Math.max(most, arrayBuffers - before.arrayBuffers + heapUsed - before.heapUsed);
  }
  upload.end(tail);
  const [answer] = await answered;
  answer.resume();
  expect(answer.statusCode).toBe(201);
  expect(most / megabyte).toBeLessThan(mostMb);
  const [name] = await waiting();
  expect((await stat(join(rootOf('north'), 'uploads', name!))).size).toBe(first.length + sizeMb * megabyte);
});
