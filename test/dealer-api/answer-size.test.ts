import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { apiOptionsShape } from '../../src/dealer-api/options.ts';
import { type Call, createTransport } from '../../src/dealer-api/transport.ts';
import { answers, type Script, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

const transports: ReturnType<typeof createTransport>[] = [];
let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterEach(() => {
  for (const transport of transports.splice(0)) transport.stop();
});
afterAll(() => server.stop());

const transport = (maxAnswerBytes = apiOptionsShape.maxAnswerBytes.parse(undefined)) => {
  const made = createTransport(
    {
      baseUrl: server.url,
      auth: { kind: 'none' },
      secret: undefined,
      requestFormat: 'json',
      dateRangeIn: 'query',
      requestTimeoutMs: 30_000,
      maxAnswerBytes,
    },
    { enter: async () => () => {} },
  );
  transports.push(made);
  return made;
};

const read = (body: unknown) => (body as { fine?: string }).fine;
const post: Call<string> = { method: 'POST', path: '/carts', body: { po_number: 'PO-1' }, read };
const get: Call<string> = { method: 'GET', path: '/orders/1', read };

describe('an answer that is larger than the account allows', () => {
  const limit = 1024 * 1024;
  const small = () => transport(limit);
  const tooLarge = {
    kind: 'unknown',
    message: expect.stringMatching(/more than 1048576 bytes.*maxAnswerBytes/),
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
      server.script = answer;
      const before = process.memoryUsage().rss;
      expect(await small().send(post)).toEqual(tooLarge);
      expect(await transport().send(get)).toMatchObject({ kind: 'unknown' });
      expect(process.memoryUsage().rss - before).toBeLessThan(bombBytes / 2);
    },
  );

  test.each([
    ['whose length is announced', { 'content-length': String(limit + 1) }],
    ['whose length is not announced', {}],
  ])('is unknown, whatever its status: one %s', async (_, headers) => {
    for (const status of [200, 404, 422, 429]) {
      server.script = answers(status, 'x'.repeat(limit + 1), headers as Record<string, string>);
      expect(await small().send(post)).toEqual(tooLarge);
    }
  });

  test('is not read to its end: one that never ends is cut off at the limit, and its connection closed', async () => {
    let closed = () => {};
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    server.script = (answer, socket) => {
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

  test('one that has exactly the limit is read', async () => {
    const body = JSON.stringify({ fine: 'yes' });
    server.script = answers(200, body + ' '.repeat(limit - body.length));
    expect(await small().send(post)).toEqual({ kind: 'ok', value: 'yes' });
  });

  test.each(['gzip', 'br', 'deflate'])('rubbish that calls itself %s is unknown', async (encoding) => {
    server.script = answers(200, 'this is no archive', { 'content-encoding': encoding });
    expect(await transport().send(post)).toMatchObject({ kind: 'unknown' });
  });
});
