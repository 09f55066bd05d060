import { expect, test } from 'vitest';
import { bodyOf, useUploads } from './use-uploads.ts';

const { upload, done, call, preview, send } = useUploads();

const lines = (...rows: string[]) => rows.map((row) => `${row}\n`).join('');

test('an upload shows the first rows of the file, whatever its columns mean', async () => {
  const { file } = await upload('odd.csv', lines('Stand;heute', 'Kenn;Sache', 'X-1;SKU-1'));
  expect(file).toEqual({
    format: 'csv',
    sheets: [
      {
        name: null,
        hidden: false,
        rows: [
          { rowNumber: 1, cells: ['Stand', 'heute'] },
          { rowNumber: 2, cells: ['Kenn', 'Sache'] },
          { rowNumber: 3, cells: ['X-1', 'SKU-1'] },
        ],
      },
    ],
  });
});

test('a wrong setting can be taken back: the rows stay visible while nothing can be read', async () => {
  const { upload: draft } = await upload('list.csv', lines('PO Number;SKU;Qty', 'P-1;A-1;2'));
  const wrong = await done<typeof draft & { file: unknown; proposal: { kind: string } }>(
    'PUT',
    `/uploads/${draft.id}/mapping`,
    { mapping: { delimiter: '|' } },
  );
  expect(wrong.proposal.kind).toBe('refused');
  expect(wrong.file).toMatchObject({
    sheets: [{ rows: [{ cells: ['PO Number;SKU;Qty'] }, { cells: ['P-1;A-1;2'] }] }],
  });
  const right = await done<typeof wrong>('PUT', `/uploads/${draft.id}/mapping`, { mapping: {} });
  expect(right.proposal.kind).toBe('proposed');
});

// Files for which a reader suggests changing a setting of the account.
const odd: Record<string, string> = {
  'thousands.csv': lines('PO Number,SKU,Qty', 'P-1,A-1,"1.250"', 'P-1,A-2,"1,250"'),
  'continued.csv': lines('PO Number,SKU,Qty', 'P-1,A-1,1', ',A-2,2'),
  'brackets.csv': lines('PO Number,SKU,Qty', 'P-1,[A-1] Oil,1'),
  'states.csv': lines(
    'PO Number,SKU,Qty,Ship To Name,Ship To Address,Ship To City,Ship To State,Ship To Zip',
    'P-1,A-1,1,A,1 Road,Columbus,Ohio,43004',
  ),
  'dates.csv': lines('PO Number,SKU,Qty', 'P-1,1-Mar,1'),
  'quotes.csv': lines('PO Number,SKU,Qty', 'P-1,"5" hose,1', 'P-2,A-2,1'),
  'nothing.csv': lines('Alpha,Beta', '1,2'),
  'twice.csv': lines('PO Number,PO No,SKU,Qty', 'P-1,P-2,A-1,1'),
  'total.csv': lines('PO Number,SKU,Qty', 'P-1,A-1,2', 'P-1,TOTAL,2'),
  'charge.csv': lines('PO Number,SKU,Qty', 'P-1,A-1,2', 'P-1,Freight,1'),
  'large.csv': lines('PO Number,SKU,Qty', 'P-1,A-1,5000000'),
  'bytes.csv': `PO Number,SKU,Qty\nP-1,A-1,2\nP-2,Ã¤-1,2\n`,
};

/** A configuration setting or a command, with some context. */
const forOthers = /.{0,30}(?:intake\.|`cartwright ).{0,30}/g;

test.each(Object.entries(odd))('no sentence about %s names a setting or a command', async (name, content) => {
  const response = await send(bodyOf(name, content));
  expect(response.body.match(forOthers)).toBeNull();
  const { upload: draft, proposal } = response.json();
  if (proposal.kind === 'refused') return;
  expect(JSON.stringify(await preview(draft.id)).match(forOthers)).toBeNull();
});

test('the settings of the page reach the reading of the file', async () => {
  const { upload: draft } = await upload(
    'all.csv',
    lines(
      'Liste;;;;;',
      ';;;Ziel;;',
      'Kenn;Sache;Stk;City;State;Zip',
      'X-1;[SKU-1] Oil;2,00;Columbus;Ohio;43004',
      ';[SKU-2] Filter;1.000,00;Columbus;Ohio;43004',
    ),
  );
  const mapping = {
    header: 3,
    headerRows: 2,
    decimal: 'comma',
    continuationRows: true,
    itemInBrackets: true,
    stateNames: 'convert',
    columns: {
      Kenn: 'po_number',
      Sache: 'item_sku',
      Stk: 'quantity',
      'Ziel City': 'ship_city',
      State: 'ship_state',
      Zip: 'ship_zip',
    },
  };
  expect((await call('PUT', `/uploads/${draft.id}/mapping`, { mapping })).statusCode).toBe(200);
  const seen = await preview(draft.id);
  expect(seen).toMatchObject({ kind: 'read', issues: expect.anything() });
  if (seen.kind !== 'read') return;
  expect(seen.purchaseOrders).toMatchObject([{ poNumber: 'X-1', lineCount: 2, pieces: 1002 }]);
});
