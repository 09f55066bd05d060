import { expect, test } from 'vitest';
import { askedOf } from '../support/import-file.ts';

const file = (name: string) =>
  `PO Number,SKU,Qty,${name},Ship To Address,Ship To City,Ship To Zip\nP-1,A-1,5,,1 Main St,Boise,83702\n`;

test.each(['Deliver to', 'Company', 'Customer', 'Consignee', 'Attn', 'Store'])(
  'an address without a recipient is asked about: beside %s',
  async (name) => {
    expect(await askedOf(file(name))).toContain(
      '"Ship To Address", "Ship To City", "Ship To Zip" say where orders are sent, and no column says to whom',
    );
  },
);

test('a whole one is not, nor one of which the account says the same', async () => {
  expect(await askedOf(file('Ship Name'))).toBeUndefined();
  expect(await askedOf(file('Store'), { constants: { ship_name: 'Acme' } })).toBeUndefined();
  const columns = {
    'Ship To Address': 'ship_address1',
    'Ship To City': 'ship_city',
    'Ship To Zip': 'ship_zip',
  } as const;
  expect(await askedOf(file('Store'), { columns })).toBeUndefined();
});
