import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { useCliFolder } from './use-cli-folder.ts';

const main = fileURLToPath(new URL('../../dist/program/cartwright.js', import.meta.url));
const cli = useCliFolder();
const untouched = 'accounts:\n  north:\n    baseUrl: http://127.0.0.1:9\n';

/** The settings of the current layouts, by header; none before the first one creates the ledger. */
const layouts = async (): Promise<Record<string, unknown>> => {
  const { exitCode, out } = await cli.run('layouts', '--json');
  const found: { header: string[]; settings: unknown }[] = exitCode === 0 ? JSON.parse(out).layouts : [];
  return Object.fromEntries(found.map(({ header, settings }) => [header.join(), settings]));
};

beforeEach(async () => {
  for (const { id } of JSON.parse((await cli.run('layouts', '--json')).out).layouts ?? [])
    await cli.run('layouts', 'remove', id);
  await cli.write('cartwright.yaml', untouched);
  await cli.write(
    'code.csv',
    'Reference,Code,Pieces\nP-1,AB-100,2\nP-1,AB-200,3\nP-2,AB-100,1\nP-3,AB-300,4\n',
  );
});

/**
 * Runs `map code.csv --write` on a terminal of 80 columns with this input, and sends a key, or a signal for the command, when a question
 * is shown.
 */
const mapOnTerminal = async (entered: string, { key = '', at = '', file = 'code.csv' } = {}) => {
  let pressed = key === '';
  const command = `stty cols 80; echo $$ > pid; exec "${process.execPath}" "${main}" map ${file} --write`;
  const child = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd: cli.folder,
    env: { ...process.env, NO_COLOR: '1', DATABASE_URL: cli.databaseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
    // An unanswered question must not block the test run.
    timeout: 60_000,
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (pressed || !shown.includes(at)) return;
    pressed = true;
    if (key.startsWith('SIG'))
      process.kill(Number(readFileSync(`${cli.folder}/pid`, 'utf8')), key as NodeJS.Signals);
    else child.stdin.write(key);
  });
  child.stdin.write(entered);
  const [exitCode] = await once(child, 'close');
  // Questions are wrapped between words.
  return { exitCode, shown, asked: stripVTControlCharacters(shown).replace(/\s+/g, ' ') };
};
/** Asks whether a row without a PO number belongs to the PO above. */
const continued = [
  'Reference,Day,Code,Pieces',
  'P-1,03.02.,AB-100,2',
  ',,AB-200,3',
  'P-2,04.02.,AB-100,1',
  'P-3,04.02.,AB-300,4',
  '',
].join('\n');

const terminal = test.skipIf(!process.env.CI && !existsSync('/usr/bin/script'));

terminal('map asks about each column that is not certain, and writes what was answered', async () => {
  const { exitCode, shown, asked } = await mapOnTerminal('n\nn\ny\ny\nnonsense\nReference\ny\n');
  expect(asked).toContain(
    '"Reference" is the PO number, "Code" is the item number, "Pieces" is the quantity. Is all of this right, for all files with this header? If not, each is asked about. [y/N]',
  );
  expect(shown).toContain('Is "Reference" (P-1, P-1, P-2) the PO number? [y/N]');
  expect(shown).toContain('There is no free column "nonsense".');
  expect(shown).toContain('Which column holds the PO number?');
  expect(shown).toMatch(/^ *1 {2}Reference {2}P-1 \| P-1 \| P-2/m);
  expect(await layouts()).toEqual({
    'Reference,Code,Pieces': { columns: { Reference: 'po_number', Code: 'item_sku', Pieces: 'quantity' } },
  });
  expect(exitCode).toBe(0);
});

terminal(
  'a column that is not the quantity leaves the file without one, and nothing is written',
  async () => {
    const { exitCode, shown } = await mapOnTerminal('n\ny\ny\nn\n\n');
    expect(shown).toMatch(/Nothing was written, because\s+no\s+column\s+was\s+found\s+for\s+the\s+quantity/);
    // The person has just seen that the column exists.
    expect(shown).toMatch(
      /"Pieces"\s+could\s+be\s+the\s+quantity,\s+but\s+it\s+is\s+set\s+to\s+be\s+ignored/,
    );
    expect(shown).not.toMatch(/no\s+header\s+names/);
    expect(await layouts()).toEqual({});
    expect(exitCode).toBe(2);
  },
);

terminal('a column that no header names is chosen from a list, by its number', async () => {
  await cli.write(
    'code.csv',
    'PO Number,SKU,Kolli X,Name\nP-1,AB-100,2,Chair\nP-1,AB-200,3,Table\nP-2,AB-100,1,Chair\n',
  );
  const { exitCode, shown } = await mapOnTerminal('3\ny\ny\n');
  expect(shown).toMatch(/^ *3 {2}Kolli X {2}2 \| 3 \| 1\r?\n *4 {2}Name {5}Chair \| Table \| Chair/m);
  expect(shown).not.toMatch(/^ *\d {2}(?:PO Number|SKU)/m);
  expect(await layouts()).toMatchObject({
    'PO Number,SKU,Kolli X,Name': { columns: { 'Kolli X': 'quantity' } },
  });
  expect(exitCode).toBe(0);
  for (const line of shown.split(/\r?\n/).filter((one) => !one.includes('[y/N]')))
    expect([line, line.length <= 80]).toEqual([line, true]);
});

terminal('a bare name that nothing is proposed for is asked about, and not passed over', async () => {
  await cli.write('code.csv', 'PO Number,SKU,Qty,Ship City,City\nP-1,A-1,2,Rome,Bonn\nP-2,A-2,3,Oslo,Bern\n');
  const { exitCode, shown } = await mapOnTerminal('n\ny\ny\n');
  expect(shown).toContain('Is "City" (Bonn, Bern) the ship-to city? [y/N]');
  // An ignored column is shown with its values.
  expect(shown).toContain('Order all of these rows? [y/N]');
  expect(await layouts()).toMatchObject({
    'PO Number,SKU,Qty,Ship City,City': { columns: { 'Ship City': 'ship_city', City: 'ignore' } },
  });
  expect(exitCode).toBe(0);
});

terminal('a header with one column more is proposed as it was agreed, and says what is new', async () => {
  await mapOnTerminal('y\n');
  await cli.write('more.csv', 'Reference,Code,Pieces,Remark\nP-8,AB-100,2,by Friday\nP-9,AB-300,4,\n');
  const dry = await cli.run('import', '--dry-run', 'more.csv');
  expect(dry.out.replace(/\s+/g, ' ')).toContain(
    'This is nearly the layout "code": the column "Remark" is new. Look at what would be ordered, and confirm it.',
  );
  const { exitCode, shown } = await mapOnTerminal('y\ny\ny\n', { file: 'more.csv' });
  expect(shown).toContain('This is nearly the layout "code": the column "Remark" is new.');
  expect(shown).toMatch(/Code +item_sku +as in the layout +/);
  expect(shown).not.toContain('Is all of this right');
  expect(await layouts()).toMatchObject({
    'Reference,Code,Pieces,Remark': {
      columns: { Reference: 'po_number', Code: 'item_sku', Pieces: 'quantity' },
    },
  });
  expect(exitCode).toBe(0);
});

terminal('one yes to all of it is enough', async () => {
  const { exitCode, shown, asked } = await mapOnTerminal('y\n');
  expect(shown.match(/\[y\/N\]/g)).toHaveLength(1);
  expect(shown.indexOf('The first lines as they would be ordered')).toBeLessThan(shown.indexOf('Is all of'));
  expect(asked).toContain('Recorded the layout "code" of north');
  expect(await layouts()).toMatchObject({ 'Reference,Code,Pieces': { columns: { Code: 'item_sku' } } });
  expect(exitCode).toBe(0);
});

terminal(
  'that a column describes the items is part of the one question, and its texts are shown after a no',
  async () => {
    const rows = [
      ...['P-1,AB-100,2,Motoroel 5W30', 'P-1,AB-200,3,Oelfilter kurz', 'P-2,AB-100,1,Motoroel 5W30'],
      ...['P-3,AB-300,4,Wischerblatt', 'P-3,AB-400,1,Bremsenreiniger'],
    ];
    await cli.write('code.csv', `Reference,Code,Pieces,Bezeichnung\n${rows.join('\n')}\n`);
    const no = await mapOnTerminal('n\ny\ny\ny\ny\nn\n');
    expect(no.asked).toContain('is the quantity, "Bezeichnung" describes the items. Is all of this right');
    expect(no.asked).toContain('"Oelfilter kurz" 1');
    expect(no.shown).toContain('Order all of these rows? [y/N]');
    expect(no.shown).toContain('Nothing was written.');
    const yes = await mapOnTerminal('y\n');
    expect(yes.shown.match(/\[y\/N\]/g)).toHaveLength(1);
    expect(yes.shown).not.toContain('Order all of these rows?');
    const [{ id }] = JSON.parse((await cli.run('layouts', '--json')).out).layouts;
    expect((await cli.run('layouts', 'show', id)).out).toMatch(/bezeichnung +what the item is/);
    expect(yes.exitCode).toBe(0);
  },
);

terminal('a row that says not to be ordered is named in the question about all rows', async () => {
  const rows = ['P-1,AB-100,2,Open', 'P-1,AB-200,3,STORNIERT', 'P-2,AB-100,1,Open'];
  await cli.write('code.csv', `Reference,Code,Pieces,Vermerk\n${rows.join('\n')}\n`);
  const { shown, asked } = await mapOnTerminal('y\ny\nn\n');
  expect(shown).toMatch(/"STORNIERT" +1\r?\n +not to be ordered\?/);
  expect(asked).toContain('Order all of these rows, also 1 row with a text that says not to? [y/N]');
});

describe('a file whose header is new, with values that were answered about in another layout', () => {
  const header = 'PO Number,SKU,Qty,Unit';
  const rows = ['P-1,AB-100,2,EA', 'P-1,AB-200,3,DZ', 'P-2,AB-100,1,XX', 'P-3,AB-300,4,EA'];
  const knownUnits = async () => {
    const { layouts: all } = JSON.parse((await cli.run('layouts', '--json')).out);
    const { header: of, values } = all.find((one: { header: string[] }) => one.header.length === 5) ?? {};
    return of && values.unit;
  };
  beforeEach(async () => {
    await cli.write('code.csv', `${header}\n${rows.join('\n')}\n`);
    await mapOnTerminal('n\norder\npieces 12\nleave-out\ny\n');
    await cli.write('code.csv', `${header},Dock\n${rows.map((row) => `${row},7`).join('\n')}\n`);
  });

  terminal('the answers are proposed, and one yes takes them', async () => {
    const { shown, asked } = await mapOnTerminal('y\ny\n');
    expect(shown).toMatch(/"DZ" +1\r?\n +pieces 12, as in the layout "code"/);
    expect(asked).toContain('Do with 2 rows as in the other layout, and order the other rows? [y/N]');
    expect(await knownUnits()).toEqual({ ea: 'seen', dz: 'pieces 12', xx: 'leave_out' });
  });

  terminal('after a no, Enter takes the proposed answer, and another one counts', async () => {
    const { asked } = await mapOnTerminal('n\norder\n\norder\norder\ny\n');
    expect(asked).toContain('"Unit" says "DZ": order, leave-out, ask or pieces N? [pieces 12]');
    expect(await knownUnits()).toEqual({ ea: 'order', dz: 'pieces 12', xx: 'order' });
  });
});

terminal('no, at the last question: nothing is written', async () => {
  const { exitCode, shown } = await mapOnTerminal('n\ny\ny\ny\nn\n');
  expect(shown).toContain('Nothing was written.');
  expect(await layouts()).toEqual({});
  expect(exitCode).toBe(0);
});

terminal.each([
  ['Ctrl-D', '\u0004'],
  ['Ctrl-C', '\u0003'],
  ['a request to end', 'SIGTERM'],
])('%s instead of an answer: nothing is written', async (_, key) => {
  const { exitCode, shown } = await mapOnTerminal('', { key, at: 'Is all of this right' });
  expect(shown).toContain('The question was not answered, so nothing was changed.');
  expect(await layouts()).toEqual({});
  expect(exitCode).toBe(2);
});

describe.each([
  ['no columns', ''],
  [
    'columns for other files',
    '    intake:\n      columns:\n        Reference: po_number\n        Code: item_sku\n        Pieces: quantity\n',
  ],
])('an account with %s', (_, own) => {
  const standard = 'po_number,item_sku,quantity\nS-1,AB-1,2\n';
  const kinds: [string, string, string, object][] = [
    [
      'without a header',
      'X1,AB-1,2\nX1,AB-2,3\nX2,AB-1,5\n',
      '1\n2\n3\ny\n',
      { '': { header: 'none', columns: { 1: 'po_number', 2: 'item_sku', 3: 'quantity' } } },
    ],
    [
      'with a header of two rows',
      ',,Ordered,Shipped\nPO Number,SKU,Qty,Qty\nX1,AB-1,2,1\nX1,AB-2,3,1\nX2,AB-1,5,2\n',
      'y\ny\ny\ny\ny\ny\n',
      {
        'PO Number,SKU,Ordered Qty,Shipped Qty': {
          headerRows: 2,
          columns: { 'PO Number': 'po_number', SKU: 'item_sku', 'Ordered Qty': 'quantity' },
        },
      },
    ],
  ];

  terminal.each(kinds)(
    'files %s get a layout, and others are read as before',
    async (_kind, text, keys, settings) => {
      await cli.write('cartwright.yaml', `${untouched}${own}`);
      await cli.write('kind.csv', text);
      await cli.write('standard.csv', standard);
      const { exitCode, shown } = await mapOnTerminal(keys, { file: 'kind.csv' });
      expect(exitCode, shown).toBe(0);
      expect(await layouts()).toMatchObject(settings);
      for (const file of ['kind.csv', 'standard.csv', ...(own === '' ? [] : ['code.csv'])]) {
        const { exitCode, out } = await cli.run('import', file, '--dry-run');
        expect(exitCode, `${file}: ${out}`).toBe(0);
      }
    },
  );
});

terminal.each([
  ['y', true],
  ['n', false],
])('whether a row without a PO number belongs to the PO above it is asked: %s', async (said, expected) => {
  await cli.write('continued.csv', continued);
  const { asked } = await mapOnTerminal(`y\n${said}\n${'y\n'.repeat(4)}`, { file: 'continued.csv' });
  expect(asked).toContain('Does a row without a PO number belong to the PO above it? [y/N]');
  const [agreed] = Object.values(await layouts()) as { continuationRows?: boolean }[];
  expect(agreed).toBeDefined();
  expect(agreed!.continuationRows ?? false).toBe(expected);
});

test('nor is an item in brackets taken with --yes: it is another one in all files of the header', async () => {
  await cli.write('brackets.csv', 'PO Number,SKU,Qty\nB-1,[A1-X] Desk,2\nB-2,[A2-X] Chair,1\n');
  const { exitCode, err } = await cli.run('map', 'brackets.csv', '--write', '--yes');
  expect(exitCode).toBe(2);
  expect(err).toContain('the numbers in brackets are only probably the items');
  expect(await layouts()).toEqual({});
});

test('nobody says so with --yes, which therefore writes nothing', async () => {
  await cli.write('continued.csv', continued);
  const columns = ['Reference=po_number', 'Code=item_sku', 'Pieces=quantity'].flatMap((one) => [
    '--column',
    one,
  ]);
  const { exitCode, err } = await cli.run('map', 'continued.csv', '--write', '--yes', ...columns);
  expect(exitCode).toBe(2);
  expect(err).toContain('rows without a PO number only probably belong to the PO above');
  expect(await layouts()).toEqual({});
});
