import { expect, test } from 'vitest';
import type { LayoutsAnswer } from '../../src/api-contract/layouts.ts';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { call, done, dropUnseen, whyItWaits, agree, upload, confirm, read } = desk;

test('nor does the second one with a file of the same header that was opened before, and orders nothing by it', async () => {
  const piet = await desk.use.signedIn('operator', ['north'], 'Piet');
  const content = (po: string) => `Bon,Art,Stk,Alt\n${po},S1,3,7\n`;
  const mapping = (quantity: string, other: string) => ({
    mapping: { columns: { Bon: 'po_number', Art: 'item_sku', [quantity]: 'quantity', [other]: 'ignore' } },
  });
  const [first, second] = [
    (await upload('a.csv', content('V-1'))).upload,
    (await upload('b.csv', content('V-2'))).upload,
  ];
  await done('PUT', `/uploads/${first.id}/mapping`, mapping('Stk', 'Alt'));
  await done('PUT', `/uploads/${second.id}/mapping`, mapping('Alt', 'Stk'));
  await confirm(first.id);
  const late = await call('POST', `/uploads/${second.id}/confirm`, { as: 'order' }, piet);
  expect([late.statusCode, late.json().detail]).toEqual([
    422,
    expect.stringMatching(/after you opened this file, Olga has said what files with its header mean/),
  ]);
  // Not refused if the person agrees to the same mapping.
  await done('PUT', `/uploads/${second.id}/mapping`, mapping('Stk', 'Alt'));
  expect((await call('POST', `/uploads/${second.id}/confirm`, { as: 'order' }, piet)).statusCode).toBe(200);
  const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
  expect(items.filter(({ header }) => header[0] === 'Bon')).toMatchObject([{ version: 1, who: 'Olga' }]);
});

test('a file with names that were agreed before is confirmed without them, and the layout keeps its name', async () => {
  const content = (po: string) => `Beleg,Ware,Anz\n${po},S1,2\n`;
  const { upload: draft } = await upload('weekly.csv', content('Y-1'));
  const columns = { Beleg: 'po_number', Ware: 'item_sku', Anz: 'quantity' };
  await done('PUT', `/uploads/${draft.id}/mapping`, { mapping: { columns } });
  await confirm(draft.id);
  for (const [name, file] of [
    ['VOID orders.csv', content('Y-2')],
    ['Storno.csv', content('Y-3')],
  ] as const) {
    const { importId, pos } = await dropUnseen(name, file);
    expect(pos).toEqual([]);
    expect(await agree(importId)).toHaveLength(1);
    // The person who agreed to it did not upload it.
    expect(await done('GET', `/imports/${importId}`)).toMatchObject({ source: 'folder', uploadedBy: null });
  }
  const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
  const layouts = items.filter(({ header }) => header[0] === 'Beleg');
  expect(layouts).toMatchObject([{ name: 'weekly', version: 1, settings: { columns } }]);
});

test('what a person agrees to of a file with standard names counts as said by that person', async () => {
  const content = (po: string) => `PO Number,SKU,Qty\n${po},S1,2\n`;
  expect((await dropUnseen('daily.csv', content('Z-1'))).pos).toEqual(['Z-1 ready']);
  const { importId } = await dropUnseen('VOID orders.csv', content('Z-2'));
  expect(await agree(importId)).toEqual(['Z-2 ready']);
  const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
  const layouts = items.filter(({ header }) => header.join() === 'PO Number,SKU,Qty');
  expect(layouts).toMatchObject([{ name: 'daily', version: 2, via: 'console' }]);
});

test('of two persons who look at a file that waits, the second one changes nothing that the first one decided', async () => {
  const file = 'Belegnr,Artikelnr,Stk,Menge\nX-1,S1,4,40\nX-2,S1,1,10\n';
  const { importId } = await dropUnseen('two.csv', file);
  expect(await whyItWaits(importId)).not.toBeNull();
  const drafts = [];
  for (const quantity of ['Stk', 'Menge']) {
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
    const other = quantity === 'Stk' ? 'Menge' : 'Stk';
    const columns = {
      Belegnr: 'po_number',
      Artikelnr: 'item_sku',
      [quantity]: 'quantity',
      [other]: 'ignore',
    };
    await done('PUT', `/uploads/${draft.id}/mapping`, { mapping: { columns } });
    drafts.push(draft.id);
  }
  await confirm(drafts[0]!, { as: 'order' });
  const unread = await call('POST', `/uploads/${drafts[1]}/confirm`, { as: 'order' });
  expect([unread.statusCode, unread.json().detail]).toEqual([422, expect.stringContaining('is being read')]);
  expect(await read(importId)).toEqual(['X-1 ready', 'X-2 ready']);
  const late = await call('POST', `/uploads/${drafts[1]}/confirm`, { as: 'order' });
  expect([late.statusCode, late.json().detail]).toEqual([
    422,
    expect.stringContaining('somebody else has said what it means'),
  ]);
  expect(await read(importId)).toEqual(['X-1 ready', 'X-2 ready']);
  // A person who has seen the current state can have it read another way.
  const { upload: again } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
  const { upload: confirmed } = await confirm(again.id, { as: 'order' });
  expect(await read(confirmed.importId)).toEqual(['X-1 ready', 'X-2 ready']);
});
