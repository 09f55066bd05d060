import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { maxAnswerBytes as usual } from '../../src/dealer-api/options.ts';
import { answers, type Script } from './scripted-server.ts';
import { get, post, useTransport } from './use-transport.ts';

const scripted = useTransport();
const transport = (maxAnswerBytes = usual) =>
  scripted.transport({ maxAnswerBytes, requestTimeoutMs: 30_000 });

describe('an answer that is larger than the account allows', () => {
  const limit = 1024 * 1024;
  const small = () => transport(limit);
  const tooLarge = {
    kind: 'unknown',
    message: expect.stringMatching(/more than 1048576 bytes, the most that is read/),
  };
  // A string that V8 cannot hold: 560 MB of blanks, sent as a few hundred kilobytes.
  const bombBytes = 560 * 1024 * 1024;
  const encoders: [string, () => Transform][] = [
    ['gzip', () => zlib.createGzip({ level: 1 })],
    ['deflate', () => zlib.createDeflate({ level: 1 })],
    ['br', () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ...('createZstdCompress' in zlib
      ? [['zstd', zlib.createZstdCompress as () => Transform] as [string, () => Transform]]
      : []),
  ];
  const bombs = new Map<string, Buffer>();
  beforeAll(async () => {
    const chunk = Buffer.alloc(4 * 1024 * 1024, ' ');
    for (const [encoding, encoder] of encoders) {
      const packed: Buffer[] = [];
      await pipeline(
        Readable.from(Array.from({ length: bombBytes / chunk.length }, () => chunk)),
        encoder(),
        async (stream) => {
          for await (const piece of stream) packed.push(piece);
        },
      );
      bombs.set(encoding, Buffer.concat(packed));
    }
  });

  test.each(encoders.map(([encoding]) => encoding))(
    'is unknown when it inflates beyond the limit (%s), also at the default limit, and memory stays bounded',
    async (encoding) => {
      const answer: Script = (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
          .end(bombs.get(encoding));
      scripted.server.script = answer;
      const before = process.memoryUsage().rss;
      expect(await small().send(post)).toEqual(tooLarge);
      expect(await transport().send(get)).toMatchObject({ kind: 'unknown' });
      expect(process.memoryUsage().rss - before).toBeLessThan(bombBytes / 2);
    },
  );

  test.each([
    ['whose length is announced', { 'content-length': String(limit + 1) }],
    ['whose length is not announced', {}],
  ])('is unknown at any status: one %s', async (_, headers) => {
    for (const status of [200, 404, 422, 429]) {
      scripted.server.script = answers(status, 'x'.repeat(limit + 1), headers as Record<string, string>);
      expect(await small().send(post)).toEqual(tooLarge);
    }
  });

  test('is cut off at the limit and its connection closed, even if it never ends', async () => {
    let closed = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    scripted.server.script = (answer, socket) => {
      socket.once('close', closed);
      answer.writeHead(200, { 'content-type': 'application/json' });
      const pour = () => {
        while (!socket.destroyed && answer.write(Buffer.alloc(65_536, ' ')));
        answer.once('drain', pour);
      };
      pour();
    };
    expect(await small().send(get)).toEqual(tooLarge);
    await isClosed;
  });

  test('is read if it has exactly the size of the limit', async () => {
    const body = JSON.stringify({ fine: 'yes' });
    scripted.server.script = answers(200, body + ' '.repeat(limit - body.length));
    expect(await small().send(post)).toEqual({ kind: 'ok', value: 'yes' });
  });

  test.each(['gzip', 'br', 'deflate'])('is unknown if it is random data declared as %s', async (encoding) => {
    scripted.server.script = answers(200, 'this is no archive', { 'content-encoding': encoding });
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });
});
