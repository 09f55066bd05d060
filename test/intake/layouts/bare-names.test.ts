import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from '../support/import-file.ts';

const fileWith = (header: string, value = 'x') => `PO Number,SKU,Qty,${header}\nA,S1,3,${value}\n`;

describe('a name that may mean an option of the cart, and may mean something else', () => {
  test.each([
    'Address',
    'Address 1',
    'street',
    'City',
    'TOWN',
    'State',
    'St',
    'Zip',
    'Zip Code',
    'Postcode',
    'Phone',
    'Tel.',
    'Hold',
    'POD',
    'Signature',
    'Warehouse',
    'Comments',
    'Payment Method',
    'Shipping Method',
    'Recipient',
    'Mail',
    'Promo',
  ])('%s is neither read nor passed over', async (header) => {
    const { code, message } = refusalOf(await importBytes('a.csv', fileWith(header)));
    expect(code).toBe('columns_uncertain');
    expect(message).toContain(`"${header}"`);
  });

  test('is read, or passed over, as somebody said', async () => {
    const file = fileWith('City', 'Fresno');
    const read = await importBytes('a.csv', file, { columns: { City: 'ship_city' } });
    expect(read.rows[0]!.options).toBe('{"ship_city": "Fresno"}');
    const ignored = await importBytes('a.csv', file, { columns: { City: 'ignore' } });
    expect(ignored.rows[0]!.options).toBe('{}');
  });

  test.each([
    ['ship_city', 'Fresno'],
    ['Ship City', 'Fresno'],
    ['Ship To City', 'Fresno'],
    ['default_warehouse', 'GA'],
  ])('the full name %s is read', async (header, value) => {
    const { rows } = await importBytes('a.csv', fileWith(header, value));
    expect(rows[0]!.options).toContain(`"${value}"`);
  });

  test('a description is that of the item, and no option', async () => {
    const { rows, refusals } = await importBytes('a.csv', fileWith('Description', 'Brake pad'));
    expect([rows[0]!.options, refusals]).toEqual(['{}', []]);
  });
});
