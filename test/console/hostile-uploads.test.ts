import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { writeWorkbook } from '../intake/support/write-workbook.ts';
import { bodyOf, boundary, contentType, csv, useUploads } from './use-uploads.ts';

const { use, operator, send, upload, preview, waiting } = useUploads();

test('names become safe: no folders, controls or direction marks, and not too long', async () => {
  const names = async (given: string) => (await upload(given, csv('N'))).upload.fileName;
  expect(await names('../../etc/passwd.csv')).toBe('passwd.csv');
  expect(await names('C:\\\\orders\\\\a.csv')).toBe('a.csv');
  expect(await names('in\u202evoice\u0007\u200b.csv')).toBe('invoice.csv');
  expect(await names('.csv')).toBe('upload.csv');
  expect(await names('<img src=x onerror=alert(1)>.csv')).toBe('<img src=x onerror=alert(1)>.csv');
  const long = await names(`${'ü'.repeat(10_000)}.CSV`);
  expect([Buffer.byteLength(long) <= 200, long.endsWith('ü.CSV')]).toEqual([true, true]);
  expect((await waiting()).every((name) => /^[0-9a-f-]{36}\.csv$/.test(name))).toBe(true);
});

test.each([
  ['a zip bomb', 'bomb.xlsx', 'workbook_too_large'],
  ['a file that only claims to be a workbook', 'fake.xlsx', expect.any(String)],
])('%s is refused in the child process', async (what, name, code) => {
  const xml = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${' '.repeat(2100 * 1024)}</sheetData></worksheet>`;
  const bytes =
    what === 'a zip bomb'
      ? await writeWorkbook({ sheets: [{ name: 'One', rows: [], xml }] })
      : Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(5000, 7)]);
  const { upload: draft, reading } = await upload(name, bytes);
  expect(reading).toMatchObject({ kind: 'refused', code });
  expect(await preview(draft.id)).toMatchObject({ kind: 'refused', code });
});

test('too large: announced or not, 413 with a sentence, and nothing is kept', async () => {
  const before = await waiting();
  const announced = await send(bodyOf('big.csv', Buffer.alloc(3_000_000, 'a')));
  const unannounced = await send(bodyOf('big.csv', Buffer.alloc(1_048_577, 'a')));
  for (const response of [announced, unannounced]) {
    expect([response.statusCode, response.json().detail]).toEqual([
      413,
      expect.stringContaining('larger than 1 MB'),
    ]);
  }
  expect(await waiting()).toEqual(before);
});

test.each([
  ['another ending', bodyOf('run.exe', 'x'), 422],
  ['an empty file', bodyOf('empty.csv', ''), 422],
  ['no file', Buffer.from(`--${boundary}--\r\n`), 400],
  ['another part', bodyOf('a.csv', csv('P'), 'other'), 400],
  [
    'two files',
    Buffer.concat([bodyOf('a.csv', csv('P')).subarray(0, -boundary.length - 6), bodyOf('b.csv', csv('Q'))]),
    400,
  ],
  ['a body that ends too early', bodyOf('a.csv', csv('P')).subarray(0, -30), 400],
])('%s is refused with a sentence', async (_, payload, status) => {
  const before = await waiting();
  const response = await send(payload);
  expect([response.statusCode, response.json().detail]).toEqual([
    status,
    expect.stringMatching(/\w{3,}.*\.$/),
  ]);
  expect(await waiting()).toEqual(before);
});

test('an upload that is cut off leaves nothing behind', async () => {
  const before = await waiting();
  const address = new URL(await use.app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(address.port), address.hostname);
  const headers = { ...operator(), ...contentType, 'content-length': '500000' };
  socket.write(
    `POST /api/v1/uploads?account=north HTTP/1.1\r\n${Object.entries(headers)
      .map((one) => one.join(': '))
      .join('\r\n')}\r\n\r\n`,
  );
  socket.write(bodyOf('cut.csv', Buffer.alloc(200_000, 'a')).subarray(0, 150_000));
  await expect.poll(async () => (await waiting()).length).toBe(before.length + 1);
  socket.destroy();
  await expect.poll(waiting).toEqual(before);
});
