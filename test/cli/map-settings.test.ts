import { beforeAll, expect, test } from 'vitest';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

beforeAll(async () => {
  await cli.write('cartwright.yaml', 'accounts:\n  north:\n    baseUrl: http://127.0.0.1:9\n');
});

const layouts = async () => JSON.parse((await cli.run('layouts', '--json')).out).layouts;

test('a file is agreed from the command line alone, without a terminal and without YAML', async () => {
  const file = await cli.write(
    'list.csv',
    [
      'Bestellungen aus dem Lager Nord;;;',
      'Kenn;Sache;Stk;Ort',
      'X-1;[SKU-1] Oil;2,00;',
      ';[SKU-2] Filter;1.000,00;',
      'X-2;[SKU-2] Filter;3,00;',
    ].join('\n'),
  );
  const options = [
    ...['Kenn=po_number', 'Sache=item_sku', 'Stk=quantity', 'Ort=ignore'].flatMap((one) => ['--column', one]),
    ...['header=2', 'decimal=comma', 'continuationRows=true', 'itemInBrackets=true'].flatMap((one) => [
      '--set',
      one,
    ]),
  ];
  const mapped = await cli.run('map', file, '--write', '--yes', ...options);
  expect(mapped, mapped.err).toMatchObject({ exitCode: 0 });
  expect(await layouts()).toMatchObject([
    {
      name: 'list',
      settings: {
        columns: { Kenn: 'po_number', Sache: 'item_sku', Stk: 'quantity', Ort: 'ignore' },
        decimal: 'comma',
        continuationRows: true,
        itemInBrackets: true,
      },
    },
  ]);
  const tried = await cli.run('import', file, '--dry-run', '--json');
  expect(tried, tried.err).toMatchObject({ exitCode: 0 });
  const [{ staged }] = JSON.parse(tried.out).dryRun;
  expect(staged.counts).toMatchObject({ ready: 2, lines: 3, issues: 0 });
  expect(staged.preview.sums).toMatchObject({ pieces: 1005 });
});

test('a file without a PO number gets numbers that Cartwright makes', async () => {
  const file = await cli.write('quick.csv', 'SKU,Qty\nA-1,2\n');
  const made = ['--set', 'poNumberFrom=made:{account}-{day}-{n}'];
  const mapped = await cli.run('map', file, '--write', '--yes', ...made);
  expect(mapped, mapped.err).toMatchObject({ exitCode: 0 });
  expect((await layouts()).find(({ name }: { name: string }) => name === 'quick')).toMatchObject({
    settings: { poNumberFrom: { made: '{account}-{day}-{n}' } },
  });
});

test.each([
  [['--set', 'decimals=comma'], /--set has no setting "decimals"\. It has sheet, header/],
  [['--set', '__proto__=1'], /--set has no setting "__proto__"/],
  [['--set', 'decimal'], /--set needs a name, = and a value/],
  [['--set', 'decimal=semicolon'], /--set decimal must be point or comma\./],
  [['--set', 'header=1.5'], /--set header must be the number of a row, auto, or none\./],
  [['--set', 'headerRows=3'], /--set headerRows must be 1 or 2\./],
  [['--set', 'skipRows=-1'], /--set skipRows must be a number of rows\./],
  [['--set', 'itemInBrackets=1'], /--set itemInBrackets must be true or false\./],
  [['--set', 'delimiter=;;'], /--set delimiter must be one sign/],
  [['--set', 'delimiter=a'], /--set delimiter must be one sign/],
  [['--set', 'encoding=klingon'], /--set encoding must be the name of an encoding.*"klingon" is none/],
  [['--set', 'sheet='], /--set sheet must be the name or the number of a sheet\./],
  [['--set', 'sheet=Orders'], /--set sheet is for workbooks; this file has no sheets\./],
  [['--set', 'join=a/b/c'], /--set join is for workbooks/],
  [['--set', 'poNumberFrom=made:{account}'], /--set poNumberFrom must be typed, made:PATTERN/],
  [['--set', 'join=Orders'], /--set join must be SHEET OF ORDERS/],
  [['--set', 'header=99999'], /the file has no row 99999 that could be its header\./],
  [['--set', 'decimal=point', '--set', 'decimal=comma'], /--set has "decimal" twice/],
  [['--column', 'Qty=quantity', '--column', 'Qty=note'], /--column has "Qty" twice/],
  [['--column', 'SKU=purchase_order'], /--column "SKU=…" must be ignore or a field, such as po_number/],
  [
    ['--column', 'Nope=note'],
    /--column "Nope=…": the file has no such column\. It has "PO Number", "SKU", "Qty"\./,
  ],
])('%s says what is wrong', async (options, sentence) => {
  const file = await cli.write('any.csv', 'PO Number,SKU,Qty\nP-1,A-1,2\n');
  const { exitCode, err } = await cli.run('map', file, ...options);
  expect([exitCode, err.replace(/\s+/g, ' ')]).toEqual([2, expect.stringMatching(sentence)]);
});
