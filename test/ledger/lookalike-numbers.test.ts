import { describe, expect, test } from 'vitest';
import { poKeyOf } from '../../src/ledger/po-key.ts';
import { insertRow } from '../support/ledger-rows.ts';
import { useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, ordersOf, setState } = staging;
const header = 'po_number,item_sku,quantity\n';
const wide = 'ＰＯ-1';
const hidden = 'PO\u200b-1';
const spaced = 'PO\u00a01';

describe.each([
  ['full-width characters', wide, 'PO-1'],
  ['another kind of space', spaced, 'PO 1'],
])('PO numbers that are equal only without %s', (_, odd, plain) => {
  test('are held if rows of one file write them in both ways', async () => {
    const { importId, counts } = await stageText(
      newAccount(),
      `${header}${plain},S1,1\n${odd},S2,2\nB,S1,1\n`,
    );
    expect(counts).toMatchObject({ ready: 1, held: 1 });
    const [held] = await ordersOf(importId);
    expect(held).toMatchObject({ po_number: plain, state: 'held', reason_code: 'similar_po', line_count: 2 });
    expect(held.reason_text).toContain('row 3 with others than row 2');
  });

  test('are one PO if the whole file writes it in that way, and come again as that', async () => {
    const account = newAccount();
    const file = `${header}${odd},S1,1\n${odd},S2,2\n`;
    expect((await stageText(account, file)).counts).toMatchObject({ ready: 1 });
    expect((await stageText(account, `${file}B,S1,1\n`)).counts).toMatchObject({ ready: 1, repeated: 1 });
  });

  test('are not taken for a repetition of another file that writes it in the other way', async () => {
    const account = newAccount();
    await stageText(account, `${header}${plain},S1,1\n`);
    const { importId, counts } = await stageText(account, `${header}${odd},S1,1\n`);
    expect(counts).toMatchObject({ repeated: 0, conflicting: 1 });
    expect((await ordersOf(importId))[0]!.reason_text).toContain('written with other characters');
  });
});

describe.each([
  ['more blanks between two words', 'HY  15'],
  ['a dash of a text program', 'HY\u201315'],
  ['a minus sign', 'HY\u221215'],
  ['a Cyrillic letter', '\u041dY-15'],
  ['a Greek letter', 'H\u03a5-15'],
  ['small Cyrillic letters', '\u043d\u0443-15'],
])('two numbers that differ only in %s', (_, odd) => {
  const plain = odd.includes(' ') ? 'HY 15' : 'HY-15';

  test('wait for a person within one file', async () => {
    const { importId } = await stageText(newAccount(), `${header}${plain},S1,1\n${odd},S2,2\nB,S1,1\n`);
    const reason = expect.stringContaining(`${plain} (row 2), ${odd} (row 3)`);
    expect(await ordersOf(importId)).toMatchObject([
      { po_number: plain, state: 'held', reason_code: 'conflicting_po', reason_text: reason },
      { po_number: odd, state: 'held', reason_code: 'conflicting_po' },
      { po_number: 'B', state: 'ready' },
    ]);
  });

  test.each([
    [plain, odd],
    [odd, plain],
  ])('wait for a person in the later of two files: %s, then %s', async (first, later) => {
    const account = newAccount();
    await stageText(account, `${header}${first},S1,1\n`, { fileName: 'monday.csv' });
    const { importId } = await stageText(account, `${header}${later},S1,1\n`);
    expect(await ordersOf(importId)).toMatchObject([
      {
        state: 'held',
        reason_code: 'conflicting_po',
        reason_text: expect.stringMatching(/monday\.csv, row 2\) differs .* look the same/),
      },
    ]);
  });

  test.each([
    [plain, odd],
    [odd, plain],
    [odd, odd],
  ])('are one where a later file takes it back: %s, then %s', async (first, later) => {
    const account = newAccount();
    const before = await stageText(account, `${header}${first},S1,1\n`);
    await stageText(account, `${header}${later},S1,0\n`);
    expect(await ordersOf(before.importId)).toMatchObject([{ state: 'held', reason_code: 'on_hold' }]);
  });
});

test.each([
  ['HY-15', 'HY\u201315'],
  ['\u0420\u041e-15', 'PO-15'],
  ['PO-15', 'po-15'],
])(
  'what a person cancelled is asked about where it comes again so that nobody tells it apart: %s, then %s',
  async (first, later) => {
    const account = newAccount();
    const before = await stageText(account, `${header}${first},S1,1\n`);
    await setState(before.importId, 'cancelled');
    const again = await stageText(account, `${header}${later},S1,1\n`);
    expect(await ordersOf(again.importId)).toMatchObject([
      {
        po_number: later,
        state: 'held',
        reason_code: 'was_cancelled',
        reason_text: expect.stringContaining(first),
      },
    ]);
    const other = await stageText(account, `${header}${later},S1,2\n`);
    expect(other.counts).toMatchObject({ held: 0, conflicting: 1 });
  },
);

test('Cyrillic and Greek letters alone are numbers like others', async () => {
  const account = newAccount();
  const letters = ['а', 'б', 'в', 'г', 'д', 'е', 'и', 'й', 'н', 'п', 'ц', 'я', 'α', 'ν', 'ω'];
  const { counts } = await stageText(
    account,
    `${header}${letters.map((one) => `${one}я-1,S1,1\n`).join('')}`,
  );
  // Among в, ν, б and all others, only а and α look the same.
  expect(counts).toMatchObject({ ready: letters.length - 2, conflicting: 2 });
});

test('a worker of an earlier version writes the same keys, and those before it are the same afterwards', async () => {
  const signs = String.fromCodePoint(
    ...Array.from({ length: 0xfff }, (_, at) => 0xa0 + at),
    0x2010,
    0x2014,
    0x2212,
  );
  const keys = [...signs, '  ', '   '].map((sign) => `po${sign}1`.normalize('NFKC').toLowerCase());
  const { rows } = await staging.pool.query(
    'select cartwright.fold_po_key(key) as key from unnest($1::text[]) with ordinality as given (key, nth) order by nth',
    [keys],
  );
  expect(rows.map(({ key }) => key)).toEqual(keys.map(poKeyOf));
});

test.each([
  ['within it', hidden],
  ['before it', '\ufeffPO-1'],
  ['at its end', 'PO-1\u00ad'],
  ['that turns the direction', 'PO\u202e-1'],
])('a PO number with a character %s that cannot be seen is an issue of its row', async (_, odd) => {
  const account = newAccount();
  const { importId, counts } = await stageText(account, `${header}PO-1,S1,1\n${odd},S2,2\nB,S1,1\n`);
  expect(counts).toMatchObject({ ready: 1, rejected: 1, issues: 1 });
  const [rejected] = await ordersOf(importId);
  expect(rejected).toMatchObject({ po_number: 'PO-1', state: 'rejected', reason_code: 'row_issues' });
  expect(rejected.reason_text).toMatch(/Row 3, .*cannot be seen, U\+/);
});

test('blanks of any kind around a number make no difference', async () => {
  const { counts } = await stageText(newAccount(), `${header}PO-1,S1,1\nPO-1\u00a0,S2,2\n`);
  expect(counts).toMatchObject({ ready: 1, held: 0 });
});

test('rows that continue a PO are written as the row with its number', async () => {
  const file = `${header}${wide},S1,1\n,S2,2\nB,S1,1\n`;
  const { counts } = await stageText(newAccount(), file, { options: { continuationRows: true } });
  expect(counts).toMatchObject({ ready: 2, held: 0 });
});

describe.each([
  ['spellings', `${header}PO-4711,S1,1\n4711,S2,2\n`, 2],
  ['characters that look the same', `${header}PO-1,S1,1\n${wide},S2,2\n`, 1],
])('a file whose numbers are held for their %s', (_, file, held) => {
  test('comes again in a later file, and its POs are repetitions there', async () => {
    const account = newAccount();
    expect((await stageText(account, file)).counts).toMatchObject({ held });
    const again = await stageText(account, `${file}C,S1,1\n`);
    expect(again.counts).toMatchObject({ ready: 1, held: 0, repeated: held });
  });
});

describe.each([
  ['04711', '4711'],
  ['4711', '04711'],
  ['PO-4711', '4711'],
  ['4711', '#4711'],
  ['PO 4711', 'PO4711'],
  ['4711.0', '4711'],
  ['PO_11/7', '11-7'],
  ['4711-', '4711'],
  ['Order 4711', '4711'],
  ['4711', 'PO No. 4711'],
  ['4501005', '4.501.005'],
  ['450 1005', '4501005'],
  ['4501005', '45-01005'],
  ['4711', '47/11'],
  ['4501005', 'PO 4.501.005'],
  ['PO# 450 1005', '4501005'],
  ['PO 4501005', 'PO-4.501.005'],
  ['4501005', '4’501’005'],
  ['4501·005', '4501005'],
  ['4.501.005', '450 1005'],
  ['PO 450 1005', '4501/005'],
  ['NYC-4.501.005', 'NYC-4501005'],
  ['NYC 4501005', 'NYC-450.1005'],
])('%s in one file and %s in a later one', (one, other) => {
  const rowOf = (number: string, rest = 'S1,1') => `${header}${number},${rest}\nB,S2,1\n`;

  test('with the same content: the later one is held, and names the earlier one', async () => {
    const account = newAccount();
    await stageText(account, rowOf(one));
    const { importId, counts } = await stageText(account, `${header}${other},S1,1\nC,S2,1\n`);
    expect(counts).toMatchObject({ ready: 1, held: 1 });
    expect((await ordersOf(importId))[0]).toMatchObject({
      ...{ po_number: other, reason_code: 'similar_po' },
      reason_text: expect.stringMatching(
        new RegExp(`^(PO )?${one} of import \\d+ .* orders the same.*cancel it\\.$`),
      ),
    });
  });

  test('with other lines that order the same', async () => {
    const account = newAccount();
    await stageText(account, `${header}${one},S1,3\n`);
    const { counts } = await stageText(
      account,
      `po_number,item_sku,quantity,expected_price,note\n${other},S1,2,9.50,\n${other},S1,1,9.50,left\n`,
    );
    expect(counts).toMatchObject({ ready: 0, held: 1 });
  });

  test('with other content, or after the earlier one was cancelled, both are ordered', async () => {
    const account = newAccount();
    const { importId } = await stageText(account, rowOf(one));
    expect((await stageText(account, rowOf(other, 'S1,2'))).counts).toMatchObject({ ready: 1, held: 0 });
    await setState(importId, 'cancelled');
    const third = await stageText(account, rowOf(other));
    expect((await ordersOf(third.importId))[0]).not.toMatchObject({ reason_code: 'similar_po' });
  });

  test('with a quantity of 0: the earlier one, which is not submitted yet, is held', async () => {
    const account = newAccount();
    const { importId } = await stageText(account, rowOf(one));
    await stageText(account, rowOf(other, 'S1,0'));
    expect((await ordersOf(importId))[0]).toMatchObject({
      ...{ state: 'held', reason_code: 'on_hold' },
      reason_text: expect.stringContaining(`It came again as PO ${other} in import `),
    });
  });
});

describe.each([
  ['12-3', '1-23'],
  ['2026.11.1', '2026.1.11'],
  ['WK4-71', 'WK47-1'],
  ['PO 1/1', 'PO 11/1'],
  ['12-3', '123-4'],
])('%s and %s, whose parts are joined by the same signs, are two POs', (one, other) => {
  test('with the same content in two files, and in one', async () => {
    const account = newAccount();
    await stageText(account, `${header}${one},S1,1\n`);
    expect((await stageText(account, `${header}${other},S1,1\n`)).counts).toMatchObject({
      ready: 1,
      held: 0,
    });
    const both = await stageText(newAccount(), `${header}${one},S1,1\n${other},S1,1\n`);
    expect(both.counts).toMatchObject({ ready: 2, held: 0 });
  });

  test('if one is not to be ordered, the other one is', async () => {
    const account = newAccount();
    const { importId } = await stageText(account, `${header}${one},S1,1\n`);
    await stageText(account, `${header}${other},S1,0\n`);
    expect((await ordersOf(importId))[0]).toMatchObject({ state: 'ready' });
    expect((await stageText(account, `${header}${one} x,S1,0\n`)).counts).toMatchObject({ rejected: 1 });
    expect((await stageText(account, `${header}${other},S1,1\n`)).counts).toMatchObject({ ready: 1 });
  });
});

test('two numbers with other signs between their digits are compared within one file', async () => {
  const { importId } = await stageText(newAccount(), `${header}4.501.005,S1,1\n450 1005,S1,1\nB,S1,2\n`);
  expect(await ordersOf(importId)).toMatchObject([
    { po_number: '4.501.005', state: 'held', reason_code: 'similar_po' },
    { po_number: '450 1005', state: 'held', reason_code: 'similar_po' },
    { po_number: 'B', state: 'ready' },
  ]);
});

test('what the file of a PO said of another spelling itself is no news when it comes again', async () => {
  const account = newAccount();
  const file = `${header}0100,S1,5\n100,S2,0\n`;
  const { importId } = await stageText(account, file);
  await setState(importId, 'ready');
  await stageText(account, `${file}B,S1,1\n`);
  expect((await ordersOf(importId))[0]).toMatchObject({ po_number: '0100', state: 'ready' });
  await stageText(account, `${file}100,S3,0\nC,S1,1\n`);
  expect((await ordersOf(importId))[0]).toMatchObject({ po_number: '0100', state: 'held' });
});

test('a PO that was cancelled because it was the same one is held again with both reasons', async () => {
  const account = newAccount();
  await stageText(account, `${header}4711,S1,1\n`);
  const { importId } = await stageText(account, `${header}04711,S1,1\n`);
  await setState(importId, 'cancelled');
  const again = await stageText(account, `${header}04711,S1,1\nB,S2,1\n`);
  expect((await ordersOf(again.importId))[0]).toMatchObject({
    ...{ state: 'held', reason_code: 'was_cancelled' },
    reason_text: expect.stringMatching(/and cancelled\..* 4711 of import .* orders the same/),
  });
});

describe('a file for which a PO number is made', () => {
  const options = { poNumberFrom: { made: '{account}-{n}' } };
  const stage = (account: string, rows: string) =>
    stageText(account, `item_sku,quantity\n${rows}`, { options });

  test.each([
    ['saved again with other line ends', 'A-1,5\r\nA-2,1\r\n'],
    ['with its rows in another order', 'A-2,1\nA-1,5\n'],
    ['that has grown', 'A-1,5\nA-2,1\nA-3,2\n'],
  ])('%s is held, and names the order of before', async (_, rows) => {
    const account = newAccount();
    const first = await stage(account, 'A-1,5\nA-2,1\n');
    const { importId, counts } = await stage(account, rows);
    expect(counts).toMatchObject({ ready: 0, held: 1 });
    const [before] = await ordersOf(first.importId);
    expect((await ordersOf(importId))[0]).toMatchObject({
      reason_code: 'similar_po',
      reason_text: expect.stringContaining(`PO ${before.po_number} of import ${first.importId} `),
    });
  });

  test('of several copies the reason names what is ordered, also where one was cancelled', async () => {
    const account = newAccount();
    const first = await stage(account, 'A-1,5\nA-2,1\n');
    await setState(first.importId, 'ordered');
    const second = await stage(account, 'A-1,5\r\nA-2,1\r\n');
    const third = await stage(account, 'A-2,1\nA-1,5\n');
    const [ordered] = await ordersOf(first.importId);
    const isNamed = new RegExp(`PO ${ordered.po_number} of import .* is ordered with the same lines`);
    expect((await ordersOf(third.importId))[0].reason_text).toMatch(isNamed);
    await setState(second.importId, 'cancelled');
    await setState(third.importId, 'cancelled');
    const again = await stage(account, 'A-2,1\nA-1,5\n');
    expect((await ordersOf(again.importId))[0]).toMatchObject({
      ...{ state: 'held', reason_code: 'was_cancelled', reason_text: expect.stringMatching(isNamed) },
    });
  });

  test.each(['A-1,5\n', 'A-1,4\nA-2,1\nA-3,2\n'])('another order goes on', async (rows) => {
    const account = newAccount();
    await stage(account, 'A-1,5\nA-2,1\n');
    expect((await stage(account, rows)).counts).toMatchObject({ ready: 1, held: 0 });
  });

  test('its rows again in a file with a PO number are held, too', async () => {
    const account = newAccount();
    await stage(account, 'A-1,5\n');
    await insertRow(staging.pool, 'layouts', {
      ...{
        account,
        header_key: 'made',
        name: 'made',
        version: 1,
        kind: 'order',
        header: ['item_sku', 'quantity'],
      },
      ...{ settings: options, who: 'anna', via: 'console' },
    });
    const { importId, counts } = await stageText(account, `${header}P-1,A-1,5\nP-2,A-9,1\n`);
    expect(counts).toMatchObject({ ready: 1, held: 1 });
    expect((await ordersOf(importId))[0]).toMatchObject({
      ...{ po_number: 'P-1', reason_code: 'similar_po' },
      reason_text: expect.stringContaining('with the same lines'),
    });
  });

  test('the same rows of a file with a PO number are held, too; and of a cancelled one not', async () => {
    const account = newAccount();
    const { importId } = await stageText(account, `${header}P-1,A-1,5\nP-2,A-9,1\n`);
    expect((await stage(account, 'A-1,5\n')).counts).toMatchObject({ held: 1 });
    await setState(importId, 'cancelled');
    expect((await stage(account, 'A-9,1\n')).counts).toMatchObject({ ready: 1 });
  });
});
