import { describe, expect, test } from 'vitest';
import { useStaging } from './stage-text.ts';

const { newAccount, stageText, ordersOf } = useStaging();
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
