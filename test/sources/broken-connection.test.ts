import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FilePlace, PlaceError } from '../../src/sources/file-place.ts';
import { openSftpPlace } from '../../src/sources/sftp-place.ts';
import { startSshd } from '../support/sshd.ts';

const sshd = await startSshd();
afterAll(() => sshd?.stop());

/** A proxy that can hold back the server's answers and break the connection. */
const startProxy = async () => {
  let sockets: Socket[] = [];
  let asked: (() => void) | undefined;
  const proxy = createServer((client) => {
    const server = connect(sshd!.server.port, '127.0.0.1');
    sockets = [client, server];
    for (const socket of sockets) socket.on('error', () => {});
    client.on('data', (data) => {
      server.write(data);
      asked?.();
    });
    server.pipe(client);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  return {
    port: (proxy.address() as AddressInfo).port,
    /** Breaks the connection after the next request is sent, before its answer. */
    breakInNext: () => {
      sockets[1]!.unpipe(sockets[0]);
      asked = () => {
        for (const socket of sockets) socket.destroy();
      };
    },
    stop: () => new Promise((done) => proxy.close(done)),
  };
};

describe.skipIf(!sshd)('a connection that breaks (skipped where sshd is not installed)', () => {
  beforeAll(() => {
    mkdirSync(join(sshd!.root, 'orders'));
    writeFileSync(join(sshd!.root, 'orders/large.csv'), Buffer.alloc(400_000, 'x'));
    sshd!.give('orders');
    sshd!.give('orders/large.csv');
  });

  /** Operations in progress when the connection breaks. */
  const works: Record<string, (place: FilePlace, breakInNext: () => void) => Promise<unknown>> = {
    'while a file is opened': async (place, breakInNext) => {
      breakInNext();
      await place.read('orders/large.csv');
    },
    'while a file is read': async (place, breakInNext) => {
      const content = await place.read('orders/large.csv');
      content.once('data', breakInNext);
      await buffer(content);
    },
    'while a file is written': async (place, breakInNext) => {
      const content = async function* () {
        yield Buffer.alloc(32_768, 'x');
        breakInNext();
        yield Buffer.alloc(32_768, 'x');
      };
      await place.write('orders/large.csv', Readable.from(content(), { objectMode: false }));
    },
    'while a folder is listed': async (place, breakInNext) => {
      breakInNext();
      await place.list('orders');
    },
    'while a file is looked at': async (place, breakInNext) => {
      breakInNext();
      await place.find('orders/large.csv');
    },
    'while a file is moved': async (place, breakInNext) => {
      breakInNext();
      await place.move('orders/large.csv', 'orders/done/large.csv');
    },
  };
  test.each(Object.keys(works))(
    '%s, it is the server that cannot be used, and not the file',
    async (name) => {
      const proxy = await startProxy();
      const place = await openSftpPlace({ ...sshd!.server, port: proxy.port });
      const thrown = await works[name]!(place, proxy.breakInNext).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(PlaceError);
      expect(thrown).toMatchObject({ reason: 'lost', code: 'sftp_unreachable' });
      expect((thrown as Error).message).not.toContain('large.csv');
      await place.close();
      await proxy.stop();
    },
  );
});
