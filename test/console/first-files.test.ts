import { describe, expect, test } from 'vitest';
import type { LayoutsAnswer } from '../../src/api-contract/layouts.ts';
import type { PreviewAnswer } from '../../src/api-contract/previews.ts';
import type { PurchaseOrdersAnswer } from '../../src/api-contract/purchase-orders.ts';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { newKind, useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { call, done, drop, dropUnseen, whyItWaits, agree, statesOf, upload, preview, confirm, read } = desk;

const valuesOf = async (headerOf: string) => {
  const { rows } = await desk.use.deps.pool.query(
    `select v.column_key as column, v.value_key as value, v.answer from layout_values v
     join layouts l on l.account = v.account and l.header_key = v.header_key and l.ended_at is null
     where $1 = any(l.header) and v.value_key !~ '^( |$)' order by 1, 2`,
    [headerOf],
  );
  return rows.map(({ column, value, answer }) => `${column}: ${value} ${answer}`);
};

describe('the first file of a header is certain only if nothing in it could mean anything else', () => {
  test.each([
    ['few values', 'Order State', ['Open', 'Open', 'Cancelled']],
    ['one value in all rows', 'Unit', ['DZ', 'DZ', 'DZ']],
    ['a text for one of the rows', 'Remark', ['Nobody wants this any more so do not send it now', '', '']],
    ['whole numbers beside the quantity', 'Qty Shipped', ['0', '1', '2']],
  ])('%s: it waits', async (_, column, says) => {
    const lines = says.map((value, at) => `F-${at},S${at},2,,${value}`);
    const { importId, pos } = await dropUnseen('a.csv', newKind(column)(...lines));
    expect(pos).toEqual([]);
    expect(await whyItWaits(importId)).toContain(`"${column}" says "${says[0]}"`);
  });

  test.each([
    ['blank cells', 'Cancelled at', ['', '', '']],
    ['amounts', 'Freight', ['1.50', '12.00', '1.50']],
    ['dates', 'Wanted by', ['2026-01-04', '2026-01-04', '2026-01-05']],
    ['many texts', 'Label', Array.from({ length: 14 }, (_, at) => `Chain ${'abcdefghijklmn'[at]}`)],
    ['numbers of documents', 'Invoice', ['INV-10233', 'INV-10234', 'INV-10234']],
    ['what describes the items', 'Brand', ['Total', 'Total', 'Total']],
  ])('%s: it is read at once', async (_, column, says) => {
    const lines = says.map((value, at) => `${column} ${at},S${at},2,,${value}`);
    const { pos } = await dropUnseen('a.csv', newKind(column)(...lines));
    expect(pos).toHaveLength(says.length);
  });

  test.each([['a row that is no line', (header: string) => `${header}\nH-1,S1,2,\n,,,See the other page\n`]])(
    '%s: it waits',
    async (what, fileOf) => {
      const { pos, importId } = await dropUnseen('a.csv', fileOf(`PO Number,SKU,Qty,${what}`));
      expect(pos).toEqual([]);
      expect(await whyItWaits(importId)).toMatch(/^Nobody has said yet|title/);
    },
  );

  const texts = ['Motoroel 5W30 1 l', 'Oelfilter kurz', 'Wischerblatt', 'Bremsenreiniger'];
  let kinds = 0;
  /** The POs of a later file with a new item, after a person agreed to a first file with these texts. */
  const laterOf = async (says: readonly string[], more: readonly string[] = []) => {
    kinds += 1;
    const file = newKind(`Bezeichnung ${kinds}`);
    // PO numbers are unique to this kind of file.
    const rows = (...lines: string[]) => file(...lines.map((line) => `G${kinds}-${line}`));
    const lines = says.map((text, at) => `${at},S${at},2,,${text}`);
    const first = await dropUnseen('a.csv', rows(...lines, `8,S1,1,,${says[1]}`, ...more));
    expect(await whyItWaits(first.importId)).toContain('Nobody has said yet');
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${first.importId}/reread`);
    const shown = await preview(draft.id);
    if (shown.kind === 'refused') throw new Error(shown.message);
    await agree(first.importId);
    const later = await dropUnseen('b.csv', rows('10,S10,4,,Zuendkerze', '11,S2,1,,STORNIERT'));
    return { describing: shown.describing, later: later.pos.map((po) => po.slice(po.indexOf('-') + 1)) };
  };

  test('where a person agreed to a text of its own for each item, those of new items are not asked about', async () => {
    const { describing, later } = await laterOf(texts);
    expect(describing).toEqual([`Bezeichnung ${kinds}`]);
    expect(later).toEqual(['10 ready', '11 held question']);
  });

  test.each([
    ['an item with two texts', texts, ['9,S0,1,,Wischerblatt 55']],
    ['two items with one text', texts, ['9,S5,1,,Wischerblatt']],
    ['an item without one', texts, ['9,S5,1,,']],
    ['short texts like units', ['EA', 'DZ', 'CS', 'BOX 12'], []],
    ['a text that says not to order', [...texts.slice(0, 3), 'cancelled by Ann'], []],
    ['only three items', texts.slice(0, 3), []],
  ])('%s: the texts may mean something else, and a new one is asked about', async (_, says, more) => {
    const { describing, later } = await laterOf(says, more);
    expect(describing).toEqual([]);
    expect(later).toEqual(['10 held question', '11 held question']);
  });

  test('a sum below the lines is none of that', async () => {
    const file = 'PO Number,SKU,Qty,Of sums\nI-1,S1,2,\nI-1,S2,3,\nTotal,,5,\n';
    const { pos } = await dropUnseen('a.csv', file, 'south');
    expect(pos).toEqual(['I-1 ready']);
  });
});

test.each([
  ['Do not ship', ['TRUE', 'X', 'yes'], ['', 'FALSE', 'no', '0']],
  ['Cancelled', ['TRUE'], ['', 'N']],
  ['Gift', [], ['TRUE', 'FALSE']],
])('below %s, %j is marked as not to be ordered, and %j is not', async (header, marked, others) => {
  const values = [...marked, ...others];
  const rows = values.map((value, at) => `M-${at},S1,1,,${value}`);
  const { importId } = await dropUnseen('m.csv', newKind(header)(...rows));
  const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
  const shown = await preview(draft.id);
  if (shown.kind === 'refused') throw new Error(shown.message);
  const said = shown.unread.find((one) => one.header === header)!.values;
  expect(said.flatMap(({ text, saysNotToOrder }) => (saysNotToOrder ? [text] : []))).toEqual(marked);
  expect(said).toHaveLength(values.length);
});

describe('what a person agrees to', () => {
  const file = newKind('Order State');
  const lines = ['K-1,S1,3,,Open', 'K-2,S2,4,,Cancelled', 'K-3,S3,1,,DZ'];

  test('is shown with its values, and is what the preview, this file and later ones are read by', async () => {
    const { importId } = await dropUnseen('k.csv', file(...lines));
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
    const shown = await preview(draft.id);
    if (shown.kind === 'refused') throw new Error(shown.message);
    const [column] = shown.unread;
    expect(column).toMatchObject({
      header: 'Order State',
      values: [
        { text: 'Open', rows: 1, saysNotToOrder: false, elsewhere: null },
        { text: 'Cancelled', rows: 1, saysNotToOrder: true, elsewhere: null },
        { text: 'DZ', rows: 1 },
      ],
    });
    const values = [
      { column: column!.column, value: 'cancelled', answer: 'leave_out' },
      { column: column!.column, value: 'dz', answer: 'pieces', pieces: 12 },
    ];
    const chosen = await done<PreviewAnswer>('POST', `/uploads/${draft.id}/preview`, { values });
    expect(chosen).toMatchObject({
      counts: { ready: 2 },
      sums: { pieces: 15 },
      unread: [{ values: { length: 3 } }],
    });
    await confirm(draft.id, { as: 'order', values, expectedPos: 2 });
    expect(await read(importId)).toEqual(['K-1 ready', 'K-3 ready']);
    const night = await drop('k2.csv', file('K-4,S1,1,,open', 'K-5,S2,1,,cancelled', 'K-6,S3,1,,Void'));
    expect(await statesOf(night.importId)).toEqual(['K-4 ready 1 lines', 'K-6 held question 1 lines']);
  });

  test('goes out and in again as it is, and what was answered can be changed for files to come', async () => {
    const { items } = await done<LayoutsAnswer>('GET', '/layouts?account=north');
    const { account, name, kind, header, settings, values } = items.find(
      (one) => one.values?.orderstate?.cancelled,
    )!;
    const entry = { account, name, kind, header, settings, values: values! };
    expect(await done('PUT', '/layouts', entry)).toMatchObject({ change: 'same' });
    const changed = {
      ...entry,
      values: { ...values, orderstate: { ...values!.orderstate, cancelled: 'order' } },
    };
    expect(await done('PUT', '/layouts', changed)).toMatchObject({ change: 'changed' });
    const night = await dropUnseen('k3.csv', file('K-7,S2,1,,Cancelled', 'K-8,S3,1,,DZ', 'K-9,S3,1,,Gone'));
    expect(night.pos).toEqual(['K-7 ready', 'K-8 ready', 'K-9 held question']);
    const wrong = { ...entry, values: { orderstate: { cancelled: 'never' } } };
    const answer = await call('PUT', '/layouts', wrong);
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      expect.stringContaining('must be seen, order, leave_out, ask, or pieces with a number'),
    ]);
  });

  test('can say what becomes of every other value of later files, and says nothing of this one by that', async () => {
    const other = newKind('State of anything,Remark');
    const long = 'A remark that is far too long to be one of a few values';
    const { importId } = await dropUnseen(
      'ka.csv',
      other(`KA-1,S1,1,,Open,${long}`, 'KA-2,S1,1,,Sent,short'),
    );
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
    const values = [
      { column: 'stateofanything', value: ' *', answer: 'leave_out' },
      { column: 'remark', value: 'short', answer: 'ask' },
    ];
    const shown = await done<PreviewAnswer>('POST', `/uploads/${draft.id}/preview`, { values });
    expect(shown).toMatchObject({ counts: { ready: 1, held: 1 } });
    await confirm(draft.id, { as: 'order', values });
    expect(await read(importId)).toEqual(['KA-1 ready', 'KA-2 held question']);
    const night = await dropUnseen('kb.csv', other(`KA-3,S1,1,,Open,${long}`, `KA-4,S1,1,,Gone,${long}`));
    expect(night.pos).toEqual(['KA-3 ready']);
  });

  test('is known before the other files that wait are read: what only they say is asked', async () => {
    const other = newKind('State of it');
    const first = await dropUnseen('m.csv', other('M-1,S1,3,,Open'));
    const second = await dropUnseen('m2.csv', other('M-2,S1,3,,Cancelled'));
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${first.importId}/reread`);
    await confirm(draft.id);
    expect(await read(second.importId)).toEqual(['M-2 held question']);
    expect(await read(first.importId)).toEqual(['M-1 ready']);
  });

  test('an upload that nobody has mapped asks the same', async () => {
    const other = newKind('State of all');
    const { upload: draft } = await upload('n.csv', other('N-1,S1,3,,Open'));
    const { upload: confirmed } = await confirm(draft.id, { as: 'order', expectedPos: 1 });
    expect(await read(confirmed.importId)).toEqual(['N-1 ready']);
    expect((await dropUnseen('n2.csv', other('N-2,S1,3,,Open'))).pos).toEqual(['N-2 ready']);
  });

  test('an account for programs refuses it', async () => {
    const { importId } = await dropUnseen('p.csv', newKind('Order State')('P-1,S1,3,,Open'), 'machine');
    const { rows } = await desk.use.deps.pool.query('select state, reason_code from imports where id = $1', [
      importId,
    ]);
    expect(rows).toEqual([{ state: 'refused', reason_code: 'not_agreed' }]);
  });
});

test('a file that still cannot be read cannot be confirmed: nothing is agreed, and it still waits', async () => {
  const { importId } = await dropUnseen('w.csv', 'Eins,Zwei,Drei von vier\nW-1,S1,2\n');
  expect(await whyItWaits(importId)).not.toBeNull();
  const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
  const refused = await call('POST', `/uploads/${draft.id}/confirm`, { as: 'order' });
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'not_possible']);
  expect(await whyItWaits(importId)).not.toBeNull();
  expect(await valuesOf('Drei von vier')).toEqual([]);
});

describe('an answer that cannot be given', () => {
  const values = (column: string, value: string, answer: string, more = {}) => ({
    values: [{ column, value, answer, ...more }],
  });

  test('is refused, and nothing is ordered by it', async () => {
    const kind = newKind('State of,Pack');
    const { importId } = await dropUnseen('u.csv', kind('U-1,S1,5,,Open,1200', 'U-2,S1,6,,Open,1200'));
    const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
    const shown = await preview(draft.id);
    if (shown.kind === 'refused') throw new Error(shown.message);
    expect(shown.unread.find(({ header }) => header === 'Pack')?.values).toEqual([
      {
        ...{ value: 'number > quantity', text: 'a number above the quantity, such as 1200', rows: 2 },
        ...{ isOne: false, saysNotToOrder: false, elsewhere: null },
      },
    ]);
    for (const [wrong, why] of [
      [values('stateof', 'open', 'pieces'), 'pieces'],
      [values('pack', 'number > quantity', 'pieces', { pieces: 12 }), 'covers different numbers'],
      [values('State of', 'Open', 'leave_out'), 'in `unread` of the preview'],
      [values('nope', 'open', 'leave_out'), 'in `unread` of the preview'],
    ] as const)
      for (const path of ['preview', 'confirm']) {
        const body = path === 'confirm' ? { as: 'order', ...wrong } : wrong;
        const refused = await call('POST', `/uploads/${draft.id}/${path}`, body);
        expect([refused.statusCode, refused.json().detail]).toEqual([422, expect.stringContaining(why)]);
      }
    expect(await statesOf(importId)).toEqual([]);
  });

  test('in a layout that a person wrote is refused, and what is written as a file has it counts', async () => {
    const header = ['PO Number', 'SKU', 'Qty', 'Tier'];
    const entry = { account: 'north', name: 'Tiers', header };
    for (const [wrong, why] of [
      [{ Nope: { x: 'leave_out' } }, 'is not in the header'],
      [{ Tier: { '1200': 'leave_out' } }, 'is a number'],
      [{ Tier: { '2026-01-02': 'leave_out' } }, 'of which only the kind is compared'],
      [{ Tier: { 'an amount': 'pieces 12' } }, 'covers different numbers'],
    ] as const) {
      const answer = await call('PUT', '/layouts', { ...entry, values: wrong });
      expect([answer.statusCode, answer.json().detail]).toEqual([422, expect.stringContaining(why)]);
    }
    const tier = { Gold: 'leave_out', 'On  Hold': 'ask', '': 'seen' };
    await done('PUT', '/layouts', { ...entry, values: { Tier: tier } });
    const lines = ['V-1,S1,5,gold', 'V-2,S1,5,ON HOLD', 'V-3,S1,5,', 'V-4,S1,5,New'];
    const { pos } = await dropUnseen('v.csv', `${[header.join(','), ...lines].join('\n')}\n`);
    expect(pos).toEqual(['V-2 held question', 'V-3 ready', 'V-4 held question']);
  });
});

test('texts that only begin alike are different ones', async () => {
  const header = 'PO Number,SKU,Qty,Long text';
  const long = `Please deliver this line together with all the others of this week ${'x'.repeat(60)}`;
  const first = await dropUnseen('w.csv', `${header}\nW-1,S1,5,\n,,,${long}\n`);
  expect(await agree(first.importId)).toEqual(['W-1 ready']);
  const next = await dropUnseen('w2.csv', `${header}\nW-2,S1,5,\n,,,${long} - no do not ship\n`);
  expect(await whyItWaits(next.importId)).toMatch(/^Row 3 says "Please deliver/);
});

test('a preview of a file that is read again shows what a person has cancelled', async () => {
  const { importId, pos } = await dropUnseen(
    'y.csv',
    'po_number,sku,quantity,Kept,Amount\nY-1,S1,1,,10.00\n',
    'south',
  );
  expect(pos).toEqual(['Y-1 ready']);
  const { items } = await done<PurchaseOrdersAnswer>('GET', `/purchase-orders?importId=${importId}`);
  await done('POST', '/purchase-orders/actions', { action: 'cancel', items: [{ id: items[0]!.id }] });
  const { upload: draft } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
  const columns = { Amount: 'quantity', quantity: 'ignore' };
  await done('PUT', `/uploads/${draft.id}/mapping`, { mapping: { columns } });
  expect(await preview(draft.id)).toMatchObject({ counts: { ready: 0, held: 1 } });
});

test('what describes the items, and their prices, are not asked about in any night', async () => {
  const header = 'PO Number,SKU,Qty,Description,Brand,Unit Price,Freight,Order Date,Wanted';
  const night = (po: string, rest: string) =>
    dropUnseen(`${po}.csv`, `${header}\n${po},S1,5,${rest}\n`, 'south');
  expect((await night('Z-1', 'Chain,Total,9.50,1.50,2026-11-02,3/4')).pos).toEqual(['Z-1 ready']);
  expect((await night('Z-2', 'Tyre,Acme,12,3,2026-11-03,3/5')).pos).toEqual(['Z-2 ready']);
  expect((await night('Z-3', 'Pump,Other,3.10 EUR,4.00 EUR,3.11.2026,3/6')).pos).toEqual(['Z-3 ready']);
  // A word among the prices raises a question.
  expect((await night('Z-4', 'Pump,Acme,stop,4.00,2026-11-04,3/7')).pos).toEqual(['Z-4 held question']);
});

describe('what an agreed layout never had besides its lines', () => {
  test('is seen however many texts there are', async () => {
    const header = 'PO Number,SKU,Qty,Rows of many texts';
    const letters = Array.from({ length: 230 }, (_, at) => `Remark ${'x'.repeat(at + 1)}`);
    const texts = letters.map((text) => `,,,${text}\n`).join('');
    const first = await dropUnseen('ra.csv', `${header}\nRA-1,S1,2,\n${texts}`);
    await agree(first.importId);
    const next = await dropUnseen('rb.csv', `${header}\nRB-1,S1,2,\n${texts},,,Do not ship RB-1\n`);
    expect(await whyItWaits(next.importId)).toContain('No file of the layout');
    await agree(next.importId);
    expect((await dropUnseen('rc.csv', `${header}\nRC-1,S1,2,\n${texts}`)).pos).toEqual(['RC-1 ready']);
    const last = await dropUnseen('rd.csv', `${header}\nRD-1,S1,2,\n${texts},,,Hold RD-1\n`);
    expect(await whyItWaits(last.importId)).toContain('"Hold RD-1"');
  });

  test('makes the file wait, once', async () => {
    const header = 'PO Number,SKU,Qty,Rows of others';
    const first = await dropUnseen('r.csv', `${header}\nR-1,S1,2,\n,,,Page 1 of 3\n`);
    expect(await agree(first.importId)).toEqual(['R-1 ready']);
    expect(await valuesOf('Rows of others')).toEqual([
      ' PO numbers: one number or code seen',
      ' items: one number or code seen',
      ' other rows: page of seen',
    ]);
    // Numbers in the text do not matter.
    expect((await dropUnseen('r2.csv', `${header}\nR-2,S1,2,\n,,,Page 2 of 7\n`)).pos).toEqual(['R-2 ready']);
    const next = await dropUnseen('r3.csv', `${header}\nR-3,S1,2,\n,,,Line 2: do not ship\n`);
    expect(next.pos).toEqual([]);
    expect(await whyItWaits(next.importId)).toContain(
      'row 3 says "Line 2: do not ship" and is no line'.slice(1),
    );
    expect(await agree(next.importId)).toEqual(['R-3 ready']);
    expect((await dropUnseen('r4.csv', `${header}\nR-4,S1,2,\n,,,Line 7: do not ship\n`)).pos).toEqual([
      'R-4 ready',
    ]);
  });

  test('a title that no file had before makes it wait', async () => {
    const kind = newKind('State of one');
    await drop('t.csv', kind('T-1,S1,2,,Open'));
    const next = await dropUnseen('t2.csv', `These are only for your files\n\n${kind('T-2,S1,2,,Open')}`);
    expect(await whyItWaits(next.importId)).toContain(
      'above the table, says "These are only for your files"',
    );
  });

  test('also one that calls it no order, until somebody has agreed that it is one', async () => {
    const file = (number: number, po: string) => `Quotation ${number}\n\nPO Number,SKU,Qty\n${po},S1,2\n`;
    const first = await dropUnseen('q.csv', file(2231, 'Q-1'));
    expect(await whyItWaits(first.importId)).toContain('says "Quotation 2231"');
    expect(await agree(first.importId)).toEqual(['Q-1 ready']);
    expect((await dropUnseen('q2.csv', file(2245, 'Q-2'))).pos).toEqual(['Q-2 ready']);
  });
});
