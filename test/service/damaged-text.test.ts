import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeUtf8 } from '../../src/contract/text.ts';
import { callerOf, servicesOfTest, type TestServices } from './run-service.ts';

let services: TestServices;
beforeAll(async () => {
  services = await servicesOfTest();
});
afterAll(() => services.end());

describe('decoding UTF-8', () => {
  test('keeps every text, and drops a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(decodeUtf8(Buffer.from(text))).toBe(text.replace(/^\ufeff/, ''));
      }),
    );
    expect(decodeUtf8(Buffer.from('\ufeffa'))).toBe('a');
  });

  test('names the line and the column of the first byte that is none', () => {
    const unit = fc.constantFrom('a', 'ü', '😀', '\ufffd', '\n');
    const wrong = fc.constantFrom([0xfc], [0xe4], [0xc3], [0xef, 0xbf], [0xed, 0xa0, 0x80], [0xff]);
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.string({ unit }),
        wrong,
        fc.string({ unit }),
        (marked, before, bytes, after) => {
          const mark = marked ? [0xef, 0xbb, 0xbf] : [];
          const lines = before.split('\n');
          // An unfinished character must not be finished by what follows.
          const rest = Buffer.from(`.${after}`);
          expect(
            decodeUtf8(Buffer.concat([Buffer.from(mark), Buffer.from(before), Buffer.from(bytes), rest])),
          ).toEqual({
            line: lines.length,
            column: [...lines.at(-1)!].length + 1,
          });
        },
      ),
    );
  });
});

describe('a seed with damaged text is refused, and nothing is stored', () => {
  const damaged = [
    { po_number: 'M\ufffd-7' },
    { po_number: 'M1', ship_name: 'J\ufffdrgen' },
    { po_number: 'M2', items: [{ item_sku: 'A', quantity: 1, note: '\ufffd' }] },
    { po_number: 'M3', items: [{ item_sku: '\ufffd', quantity: 1 }] },
  ];
  const fields = ['0.po_number', '0.ship_name', '0.items.0.note', '0.items.0.item_sku'];

  test.each(damaged.map((seed, at) => [fields[at]!, seed] as const))('%s', async (field, seed) => {
    const service = await services.listen({ admin: true });
    const entry = { field, code: 'damaged_text', message: expect.stringContaining('U+FFFD') };
    await expect(service.control.seed([seed])).rejects.toMatchObject({ code: 'invalid', errors: [entry] });
    const answer = await callerOf(service)('POST', '/admin/seed', [seed]);
    expect([answer.status, answer.body.errors]).toEqual([422, [entry]]);
    await expect(services.build({ seed: [seed] })).rejects.toMatchObject({
      code: 'seed_refused',
      message: expect.stringContaining(field),
    });
    const { rows } = await services.pool.query(
      "select 1 from dealer_service.carts where po_number like 'M%'",
    );
    expect(rows).toEqual([]);
  });
});

test('bytes that are not UTF-8 in the body of a request are refused with their place', async () => {
  const { service } = await services.build({ admin: true });
  const payload = Buffer.from('[\n  {"po_number": "M\u00fc-7"}\n]', 'latin1');
  const headers = { 'content-type': 'application/json' };
  for (const url of ['/admin/seed', '/carts']) {
    const answer = await service.app.inject({ method: 'POST', url, headers, payload });
    expect([answer.statusCode, answer.json().detail]).toEqual([
      400,
      'The body is not UTF-8: line 2, column 19 has another byte. Send it as UTF-8.',
    ]);
  }
});

test('a catalogue that is not UTF-8 stops the start with its place: two SKUs could become one', async () => {
  const header = 'sku,item_id,name,price,stock_GA,stock_ID,stock_IN,stock_TX\n';
  const catalogue = await services.write('');
  await writeFile(
    catalogue,
    Buffer.from(`${header}A,1,A,1.00,5,5,5,5\nM\u00fc,2,B,1.00,5,5,5,5\n`, 'latin1'),
  );
  await expect(services.build({ catalogue })).rejects.toMatchObject({
    code: 'catalogue_unreadable',
    message: expect.stringContaining('line 3, column 2 is not UTF-8'),
  });
});
