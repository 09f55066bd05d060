import { describe, expect, test } from 'vitest';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { done, read } = desk;

/** Counts kinds of files without a PO number column, each with its own header. */
let kinds = 0;
const agreed = async (poNumberFrom: object) => {
  kinds += 1;
  const header = ['Art', 'Menge', `Kind ${kinds}`];
  const settings = { columns: { Art: 'item_sku', Menge: 'quantity' }, poNumberFrom };
  await done('PUT', '/layouts', { account: 'north', name: `Kind ${kinds}`, header, settings });
  return (...rows: string[]) => [header.join(','), ...rows.map((row) => `${row},`), ''].join('\n');
};
const stateOf = async (importId: string) => {
  const { rows } = await desk.use.deps.pool.query('select state from imports where id = $1', [importId]);
  return rows[0].state;
};

describe('the same bytes', () => {
  test('under another name are another order, where the number is in the name', async () => {
    const file = await agreed({ fileName: 'SO-{po}' });
    const rows = file('AX-1,5', 'AX-2,3');
    expect((await desk.dropUnseen('SO-81.csv', rows)).pos).toEqual(['81 ready']);
    expect((await desk.dropUnseen('SO-82.csv', rows)).pos).toEqual(['82 ready']);
    const again = await desk.dropUnseen('SO-82.csv', rows);
    expect([again.pos, await stateOf(again.importId)]).toEqual([[], 'repeated']);
  });

  test('that wait are so, too, because nobody has said where the number is', async () => {
    kinds += 1;
    const header = ['Art', 'Menge', `Kind ${kinds}`];
    const rows = `${header.join(',')}\nAX-1,5,\n`;
    const waiting = [await desk.dropUnseen('SO-83.csv', rows), await desk.dropUnseen('SO-84.csv', rows)];
    const settings = {
      columns: { Art: 'item_sku', Menge: 'quantity' },
      poNumberFrom: { fileName: 'SO-{po}' },
    };
    await done('PUT', '/layouts', { account: 'north', name: `Kind ${kinds}`, header, settings });
    const pos = [];
    for (const { importId } of waiting) pos.push(...(await read(importId)));
    expect(pos).toEqual(['83 ready', '84 ready']);
  });

  test('are another order with another typed number, and are asked for one in the folder', async () => {
    const file = await agreed({ typed: true });
    const rows = file('AX-1,5');
    const order = async (poNumber: string) => {
      const { upload } = await desk.upload('quick.csv', rows);
      const mapping = { constants: { po_number: poNumber } };
      await done('PUT', `/uploads/${upload.id}/mapping`, {
        mapping: {
          ...mapping,
          columns: { Art: 'item_sku', Menge: 'quantity' },
          poNumberFrom: { typed: true },
        },
      });
      const confirmed = await desk.confirm(upload.id);
      return read(confirmed.upload.importId);
    };
    expect(await order('TY-1')).toEqual(['TY-1 ready']);
    expect(await order('TY-2')).toEqual(['TY-2 ready']);
    expect(await order('TY-2')).toEqual([]);
    // A typed number is accepted in any form.
    expect(await order('SPRING')).toEqual(['SPRING ready']);
    const dropped = await desk.dropUnseen('quick.csv', rows);
    expect(await desk.whyItWaits(dropped.importId)).toContain('somebody types it for each of them');
  });

  test('under another name are the same order, where the numbers are in them', async () => {
    expect((await desk.dropUnseen('a.csv', 'PO Number,SKU,Qty\nIN-1,AX-1,5\n')).pos).toEqual(['IN-1 ready']);
    const again = await desk.dropUnseen('b.csv', 'PO Number,SKU,Qty\nIN-1,AX-1,5\n');
    expect(await stateOf(again.importId)).toBe('repeated');
  });
});

describe('a number for the whole file is watched as those of a column are', () => {
  test.each([
    ['SO-90-CANCELLED.csv', '90-CANCELLED'],
    ['SO-91 on hold.csv', '91 on hold'],
    ['SO-92, 93.csv', '92, 93'],
  ])('in the name of the file: %s', async (name, number) => {
    const file = await agreed({ fileName: 'SO-{po}' });
    expect((await desk.dropUnseen(`SO-${kinds}7.csv`, file(`BX-${kinds},5`))).pos).toEqual([
      `${kinds}7 ready`,
    ]);
    expect((await desk.dropUnseen(name, file('AX-1,5'))).pos).toEqual([`${number} held question`]);
  });

  test('in a cell', async () => {
    kinds += 1;
    const header = ['Art', 'Menge', `Kind ${kinds}`];
    const settings = { columns: { Art: 'item_sku', Menge: 'quantity' }, poNumberFrom: { cell: 'Order' } };
    await done('PUT', '/layouts', { account: 'north', name: `Kind ${kinds}`, header, settings });
    const file = (po: string) => `Order,${po},\n,,\n${header.join(',')}\nAX-${kinds},5,\n`;
    const first = await desk.dropUnseen('1.csv', file(`9${kinds}1`));
    const pos =
      (await desk.whyItWaits(first.importId)) === null
        ? first.pos
        : await confirmed(first.importId, settings);
    expect(pos).toEqual([`9${kinds}1 ready`]);
    expect((await desk.dropUnseen('2.csv', file('96 / 97'))).pos).toEqual(['96 / 97 held question']);
    const third = await desk.dropUnseen('3.csv', file('95-CANCELLED'));
    expect(await desk.whyItWaits(third.importId)).toContain('95-CANCELLED');
  });
});

const confirmed = async (importId: string, mapping: object) => {
  const { upload } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
  await done('PUT', `/uploads/${upload.id}/mapping`, { mapping });
  await desk.confirm(upload.id);
  return read(importId);
};

describe('a file of which the number says that it is not to be ordered', () => {
  test.each([
    ['SO-{po}', 'SO-%s CANCELLED.csv'],
    ['SO-{po}', 'SO-%s_void.csv'],
    ['SO-{po}', 'SO-%s-STORNO.csv'],
    ['*SO-{po}', 'CANCELLED SO-%s.csv'],
  ])('holds what came before under it, which is not submitted: %s, %s', async (pattern, name) => {
    const file = await agreed({ fileName: pattern });
    const number = `70${kinds}`;
    const first = await desk.dropUnseen(`SO-${number}.csv`, file(`CX-${kinds},5`));
    expect(first.pos).toEqual([`${number} ready`]);
    const second = await desk.dropUnseen(name.replace('%s', number), file(`CX-${kinds},5`));
    expect(second.pos).toEqual([expect.stringMatching(/ held question$/)]);
    expect(await desk.statesOf(first.importId)).toEqual([`${number} held on_hold 1 lines`]);
  });

  test('holds what comes after it under the plain number, until somebody has answered', async () => {
    const file = await agreed({ fileName: 'SO-{po}' });
    await desk.dropUnseen('SO-5900.csv', file(`CX-${kinds},1`));
    const first = await desk.dropUnseen('SO-5901 CANCELLED.csv', file(`CX-${kinds},5`));
    expect(first.pos).toEqual(['5901 CANCELLED held question']);
    const second = await desk.dropUnseen('SO-5901.csv', file(`CX-${kinds},7`, 'AX-2,1'));
    expect(second.pos).toEqual(['5901 held similar_po']);
    const other = await desk.dropUnseen('SO-5902.csv', file(`CX-${kinds},5`));
    expect(other.pos).toEqual(['5902 ready']);
  });

  test.each(['SO-4%s.csv.csv', 'SO-4%s~1.csv', 'SO-4%s[1].csv', 'SO-4%s.bak.csv'])(
    'a copy is refused: %s',
    async (name) => {
      const file = await agreed({ fileName: 'SO-{po}' });
      const { importId } = await desk.dropUnseen(name.replace('%s', `${kinds}`), file('AX-1,5'));
      expect(await stateOf(importId)).toBe('refused');
    },
  );

  test('also if a person typed it', async () => {
    await agreed({ typed: true });
    const settings = { columns: { Art: 'item_sku', Menge: 'quantity' }, poNumberFrom: { typed: true } };
    const { upload } = await desk.upload('typed.csv', `Art,Menge,Kind ${kinds}\nDX-1,5,\n`);
    const mapping = { ...settings, constants: { po_number: `TY-${kinds} CANCELLED` } };
    await done('PUT', `/uploads/${upload.id}/mapping`, { mapping });
    const { upload: confirmedUpload } = await desk.confirm(upload.id);
    expect(await read(confirmedUpload.importId)).toEqual([`TY-${kinds} CANCELLED held question`]);
  });
});
