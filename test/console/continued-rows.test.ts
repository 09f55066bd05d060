import { expect, test } from 'vitest';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { done, read, questionsOf, answer, statesOf, dropUnseen } = desk;

const columns = { Doc: 'po_number', Thing: 'item_sku', Count: 'quantity' };
let kinds = 0;
/** Files in which only the first row of a PO has its number, and the rows below continue it. */
const agreed = async () => {
  kinds += 1;
  const header = `Doc,Thing,Count,Zst,Kind ${kinds}`;
  const file = (...rows: string[]) => [header, ...rows.map((row) => `${row},`), ''].join('\n');
  const { importId } = await dropUnseen('first.csv', file(`F${kinds},AX-1,5,Open`, ',AX-2,3,'));
  const { upload } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
  await done('PUT', `/uploads/${upload.id}/mapping`, { mapping: { columns, continuationRows: true } });
  await desk.confirm(upload.id);
  expect(await read(importId)).toEqual([`F${kinds} ready`]);
  return file;
};

test('what the first row of a PO says counts for those that continue it: asked, left out, and in the next file', async () => {
  const file = await agreed();
  const night = await dropUnseen(
    '2.csv',
    file('C-1,AX-3,1,Cancelled', ',AX-4,4,', ',AX-5,1,Open', 'C-2,AX-1,1,Open'),
  );
  expect(night.pos).toEqual(['C-1 held question', 'C-2 ready']);
  await answer((await questionsOf(night.importId))[0]!.id, { answer: 'leave_out' });
  // A row with text of its own does not match.
  expect(await statesOf(night.importId)).toEqual(['C-1 ready 1 lines', 'C-2 ready 1 lines']);
  const next = await dropUnseen(
    '3.csv',
    file('C-3,AX-3,1,Cancelled', ',AX-4,4,', 'C-4,AX-1,1,Open', ',AX-2,2,'),
  );
  expect(next.pos).toEqual(['C-4 ready']);
  expect(await statesOf(next.importId)).toEqual(['C-4 ready 2 lines']);
});

test('but how the item of the first row is packed says nothing of the others, which are asked about once', async () => {
  const file = await agreed();
  const night = await dropUnseen('2.csv', file('P-1,AX-3,2,DZ', ',AX-4,4,'));
  await answer((await questionsOf(night.importId))[0]!.id, { answer: 'pieces', pieces: 12 });
  const linesOf = async (importId: string) => {
    const { rows } = await desk.use.deps.pool.query(
      'select item_sku, quantity from lines where import_id = $1 order by row_number',
      [importId],
    );
    return rows.map(({ item_sku, quantity }) => `${item_sku} x ${quantity}`);
  };
  expect(await linesOf(night.importId)).toEqual(['AX-3 x 24', 'AX-4 x 4']);
  const [blank] = await questionsOf(night.importId);
  expect(blank!.message).toBe(
    '"Zst" is blank here, below a row that is counted in pieces. Order such rows, or leave them out?',
  );
  await answer(blank!.id, { answer: 'order' });
  expect(await statesOf(night.importId)).toEqual(['P-1 ready 2 lines']);
  const next = await dropUnseen('3.csv', file('P-2,AX-3,2,DZ', ',AX-4,4,'));
  expect(await linesOf(next.importId)).toEqual(['AX-3 x 24', 'AX-4 x 4']);
});

test('a blank cell below a row that is counted in pieces is asked about, where no file had one', async () => {
  kinds += 1;
  const header = ['Doc', 'Pack', 'Thing', 'Count', `Kind ${kinds}`];
  await done('PUT', '/layouts', {
    ...{ account: 'north', name: `Kind ${kinds}`, header, settings: { columns, continuationRows: true } },
    values: { Pack: { ea: 'order' }, [`Kind ${kinds}`]: { '': 'order' } },
  });
  const file = (...rows: string[]) => [header.join(','), ...rows.map((row) => `${row},`), ''].join('\n');
  const night = await dropUnseen('1.csv', file('Q-1,CS,AX-1,2', ',,AX-2,2', 'Q-2,ea,AX-1,1'));
  expect(night.pos).toEqual(['Q-1 held question', 'Q-2 ready']);
  await answer((await questionsOf(night.importId))[0]!.id, { answer: 'pieces', pieces: 6 });
  expect(await statesOf(night.importId)).toEqual(['Q-1 held question 2 lines', 'Q-2 ready 1 lines']);
  const [blank] = await questionsOf(night.importId);
  expect(blank).toMatchObject({ value: '', message: expect.stringContaining('below a row that is counted') });
  await answer(blank!.id, { answer: 'leave_out' });
  expect(await statesOf(night.importId)).toEqual(['Q-1 ready 1 lines', 'Q-2 ready 1 lines']);
});

test('a row counted in pieces, and a blank one below it: it is asked about, also where the number is known', async () => {
  const file = await agreed();
  const night = await dropUnseen('2.csv', file('R-1,AX-3,2,DZ'));
  await answer((await questionsOf(night.importId))[0]!.id, { answer: 'pieces', pieces: 12 });
  const next = await dropUnseen('3.csv', file('R-2,AX-3,2,DZ', ',AX-4,4,', 'R-3,AX-1,1,Open', ',AX-4,4,'));
  expect(next.pos).toEqual(['R-2 held question', 'R-3 ready']);
  expect((await questionsOf(next.importId)).map(({ message }) => message)).toEqual([
    '"Zst" is blank here, below a row that is counted in pieces. Order such rows, or leave them out?',
  ]);
  // Its answer does not apply to other blank cells, nor theirs to it.
  await answer((await questionsOf(next.importId))[0]!.id, { answer: 'pieces', pieces: 6 });
  const third = await dropUnseen(
    '4.csv',
    file('R-4,AX-3,2,DZ', ',AX-4,4,', 'R-5,AX-1,1,Open', ',AX-4,4,', 'R-6,AX-1,3,'),
  );
  expect(third.pos).toEqual(['R-4 ready', 'R-5 ready', 'R-6 ready']);
  const { rows } = await desk.use.deps.pool.query(
    'select po_number, quantity from lines where import_id = $1 order by row_number',
    [third.importId],
  );
  expect(rows.map(({ po_number, quantity }) => `${po_number} ${quantity}`)).toEqual([
    ...['R-4 24', 'R-4 24', 'R-5 1', 'R-5 4', 'R-6 3'],
  ]);
});

test.each([false, true])(
  'a PO number that is left out takes the rows along that continue it (for the whole column: %s)',
  async (wholeColumn) => {
    kinds += 1;
    const header = ['Doc', 'Thing', 'Count', `Kind ${kinds}`];
    await done('PUT', '/layouts', {
      ...{ account: 'north', name: `Kind ${kinds}`, header, settings: { columns, continuationRows: true } },
      values: { [`Kind ${kinds}`]: { '': 'order' } },
    });
    const file = (...rows: string[]) => [header.join(','), ...rows.map((row) => `${row},`), ''].join('\n');
    const own = (number: string) => `${kinds}${number}`;
    const rows = [1, 2, 3, 4].flatMap((n) => [`${own(`0${n}`)},AX-1,1`, ',AX-2,2']);
    await dropUnseen('1.csv', file(...rows));
    const night = await dropUnseen(
      '2.csv',
      file(`${own('13')} sample,AX-1,1`, ',AX-2,5', `${own('14')},AX-1,1`),
    );
    expect(night.pos).toEqual([`${own('13')} sample held question`, `${own('14')} ready`]);
    await answer((await questionsOf(night.importId))[0]!.id, { answer: 'leave_out', wholeColumn });
    expect(await statesOf(night.importId)).toEqual([
      `${own('13')} sample cancelled left_out 2 lines`,
      `${own('14')} ready 1 lines`,
    ]);
    const next = await dropUnseen(
      '3.csv',
      file(
        `${own('13')} sample,AX-1,2`,
        ',AX-2,7',
        `${own('77')} sample,AX-1,1`,
        ',AX-2,8',
        `${own('78')},AX-9,1`,
      ),
    );
    expect(next.pos).toEqual([
      ...(wholeColumn ? [] : [`${own('77')} sample held question`]),
      `${own('78')} ready`,
    ]);
  },
);
