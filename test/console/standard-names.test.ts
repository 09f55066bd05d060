import { describe, expect, test } from 'vitest';
import { readPurchaseOrdersNamed } from '../../src/ledger/console/purchase-order.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { useQuestions } from './use-questions.ts';

const desk = useQuestions();
const { dropUnseen } = desk;

/** A file with recognised columns, which needs nobody's agreement. */
const file = (kind: string, ...rows: string[]) => [`PO Number,SKU,${kind}`, ...rows, ''].join('\n');

test.each([
  ['Qty', 'Page 1'],
  ['Quantity', '4712 rush'],
  ['qty', '"4711, 4712"'],
])(
  'what numbers look like is known from the first file on, and asked from the second (%s, %s)',
  async (kind, odd) => {
    const own = (number: string) => `${kind.length}${kind.charCodeAt(0)}${number}`;
    const first = await dropUnseen('1.csv', file(kind, `${own('1')},AX-1,1`, `${own('2')},AX-1,1`));
    expect(first.pos).toEqual([`${own('1')} ready`, `${own('2')} ready`]);
    const second = await dropUnseen('2.csv', file(kind, `${odd},AX-1,1`, `${own('3')},AX-1,1`));
    expect(second.pos).toEqual([`${odd.replaceAll('"', '')} held question`, `${own('3')} ready`]);
    const third = await dropUnseen('3.csv', file(kind, `${own('4')},AX-1,1`, `${own('5')},AX-1,1`));
    expect(third.pos).toEqual([`${own('4')} ready`, `${own('5')} ready`]);
  },
);

test('a number with words beside one that is ordered is held with what else is wrong, if it orders the same', async () => {
  const first = await dropUnseen('1.csv', 'PO Number,Item,Qty\nW-1,AX-1,5\nW-2,AX-1,1\n');
  await desk.use.deps.pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
    first.importId,
  ]);
  const second = await dropUnseen('2.csv', 'PO Number,Item,Qty\nW-1 rush,AX-1,5\nBestellung W-2,AX-1,1\n');
  expect(second.pos).toEqual(['W-1 rush held question', 'Bestellung W-2 held question']);
  const { rows } = await desk.use.deps.pool.query(
    'select reason_text from purchase_orders where import_id = $1 order by first_row',
    [second.importId],
  );
  expect(rows.map(({ reason_text }) => reason_text)).toEqual([
    expect.stringMatching(/ PO W-1 of import .* orders the same/),
    expect.stringMatching(/ PO W-2 of import .* orders the same/),
  ]);
});

test('a number is held beside one of its file with words that nobody has answered about, whatever it orders', async () => {
  const rows = (...numbers: string[]) => ['PO Number,Part Number,Qty', ...numbers, ''].join('\n');
  expect((await dropUnseen('1.csv', rows('B-1,AX-1,1'))).pos).toEqual(['B-1 ready']);
  const second = await dropUnseen(
    '2.csv',
    rows('B-2,AX-1,5', 'B-2 rush,AX-2,1', 'B-3,AX-1,5', 'B-4 rush,AX-1,5'),
  );
  expect(second.pos).toEqual([
    'B-2 held similar_po',
    'B-2 rush held question',
    'B-3 ready',
    'B-4 rush held question',
  ]);
});

test('a code before the number, joined by a sign, is a part of it', async () => {
  const rows = (number: string) => `PO Number,Item,Quantity\n${number},AX-1,5\n`;
  expect((await dropUnseen('1.csv', rows('PO-91'))).pos).toEqual(['PO-91 ready']);
  expect((await dropUnseen('2.csv', rows('NYC-91'))).pos).toEqual(['NYC-91 ready']);
  expect((await dropUnseen('3.csv', rows('LAX-91'))).pos).toEqual(['LAX-91 ready']);
});

test('a rejected row that cancels an order by words beside its number names the order, which stays', async () => {
  const rows = (number: string) => `PO Number,Item Number,Qty\n${number},AX-1,5\n`;
  const first = await dropUnseen('1.csv', rows('K-31'));
  await desk.use.deps.pool.query(`update purchase_orders set state = 'ordered' where import_id = $1`, [
    first.importId,
  ]);
  const second = await dropUnseen('2.csv', rows('K-31 CANCELLED'));
  expect(second.pos).toEqual(['K-31 CANCELLED rejected row_issues']);
  const { rows: found } = await desk.use.deps.pool.query(
    'select reason_text from purchase_orders where import_id = $1',
    [second.importId],
  );
  expect(found[0].reason_text).toContain(`PO K-31 of import ${first.importId} (1.csv, row 2) stays as it is`);
});

test('nobody orders a number that an open rejection names with words beside it', async () => {
  const rows = (...lines: string[]) => ['po_number,item_sku,quantity', ...lines, ''].join('\n');
  expect((await dropUnseen('0.csv', rows('R-40,AX-1,5'))).pos).toEqual(['R-40 ready']);
  const first = await dropUnseen('1.csv', rows('R-41 CANCELLED,AX-1,5', 'R-42,AX-1,5'));
  expect(first.pos).toEqual(['R-41 CANCELLED rejected row_issues', 'R-42 ready']);
  expect((await dropUnseen('2.csv', rows('R-41,AX-7,3'))).pos).toEqual(['R-41 held similar_po']);
  const together = await dropUnseen('3.csv', rows('R-43 CANCELLED,AX-1,5', 'R-43,AX-1,5'));
  expect(together.pos).toEqual(['R-43 CANCELLED rejected row_issues', 'R-43 held similar_po']);
  const { rows: found } = await desk.use.deps.pool.query(
    `select reason_text from purchase_orders where import_id = $1 and po_number = 'R-43'`,
    [together.importId],
  );
  expect(found[0].reason_text).toMatch(
    /^PO R-43 CANCELLED of this file \(row 2\) was rejected when this file was read, and /,
  );
});

test('what is left out for one plain number is not left out for the next that looks like it', async () => {
  const rows = (...lines: string[]) => ['PO Number,Item SKU,Qty', ...lines, ''].join('\n');
  await dropUnseen('1.csv', rows('SMITH JOB,AX-1,1', 'MILLER,AX-2,1'));
  const second = await dropUnseen('2.csv', rows('9001,AX-1,1'));
  expect(second.pos).toEqual(['9001 held question']);
  const [question] = await desk.questionsOf(second.importId);
  const answered = await desk.answer(question!.id, { answer: 'leave_out' });
  expect(answered.sentence).toMatch(
    /1 row was skipped\. .* Cartwright asks about the next row with one that looks like "9001"/,
  );
  const third = await dropUnseen('3.csv', rows('9002,AX-1,1', '9003,AX-1,1'));
  expect(third.pos).toEqual(['9002 held question', '9003 held question']);
  const { id } = (await desk.questionsOf(third.importId))[0]!;
  const pieces = await desk.call('POST', `/questions/${id}/answer`, { answer: 'pieces', pieces: 12 });
  expect([pieces.statusCode, pieces.json().detail]).toEqual([422, expect.stringContaining('PO number')]);
  await desk.answer(id, { answer: 'order' });
  expect((await dropUnseen('4.csv', rows('9004,AX-1,1'))).pos).toEqual(['9004 ready']);
});

/** `#` is replaced by the number. */
const beside = [
  '# rush',
  'rush #',
  'Auftrag #',
  '# (2)',
  '#/A',
  '#-copy',
  '#_rush',
  '# v2',
  '(#)',
  'PO:#',
  '"""#"""',
  '#*',
  '~#',
  '#\\A',
];
test.each(beside)(
  '%s and the number alone are held if they order the same, whichever comes first',
  async (written) => {
    const rows = (...lines: string[]) => ['po_number,sku,quantity', ...lines, ''].join('\n');
    // Both forms are known, so that neither is held by a question.
    await desk.drop('0.csv', rows('SEEN 1,AX-1,1', '5000,AX-1,2'));
    const at = beside.indexOf(written);
    const [one, other, third] = [6100 + at, 6200 + at, 6300 + at];
    const odd = (number: number) => written.replaceAll('#', `${number}`);
    const first = await dropUnseen('1.csv', rows(`${one},BX-${at},5`, `${odd(other)},CX-${at},6`));
    expect(first.pos.map((po) => po.replace(/^.* (?=\w+$|held)/, ''))).toEqual(['ready', expect.any(String)]);
    const second = await dropUnseen(
      '2.csv',
      rows(`${odd(one)},BX-${at},5`, `${other},CX-${at},6`, `${third},CX-${at},6`),
    );
    const { rows: held } = await desk.use.deps.pool.query(
      'select po_number as number, state, reason_text as why from purchase_orders where import_id = $1 order by first_row',
      [second.importId],
    );
    expect(held).toMatchObject([
      { state: 'held', why: expect.stringContaining(`${one} of import`) },
      {
        number: `${other}`,
        state: 'held',
        why: expect.stringMatching(/orders the same|waits for an answer/),
      },
      { number: `${third}`, state: 'ready' },
    ]);
    // Different lines are another order, unless a question is raised.
    const later = await dropUnseen('3.csv', rows(`${one + 900},DX-1,1`));
    expect(later.pos).toEqual([`${one + 900} ready`]);
  },
);

test.each([
  'do not ship',
  'on hold',
  '(on hold)',
  'no longer needed',
  'is void',
  "canc'd",
  'annulé',
  'replaced by 4799',
  'ne pas livrer',
])('“4711 %s” holds 4711, which is not submitted, and one that comes later', async (words) => {
  const rows = (...lines: string[]) => ['PO Number,sku,qty', ...lines, ''].join('\n');
  const base = 7000 + 10 * words.length + words.charCodeAt(0);
  const first = await dropUnseen('1.csv', rows(`${base},AX-1,5`, `${base + 5000},AX-2,1`));
  await dropUnseen('2.csv', rows(`${base} ${words},AX-1,5`));
  expect((await desk.statesOf(first.importId))[0]).toBe(`${base} held on_hold 1 lines`);
  await dropUnseen('3.csv', rows(`${base + 10000} ${words},AX-1,5`));
  expect((await dropUnseen('4.csv', rows(`${base + 10000},AX-9,7`))).pos).toEqual([
    `${base + 10000} held similar_po`,
  ]);
});

test.each(['VOID-#', 'VOID#', 'CXL-#', 'HOLD#', '取消#', 'NOT #', 'DEL #', 'old #', '#?'])(
  '%s is asked about, and holds the number alone',
  async (written) => {
    const rows = (...lines: string[]) => ['PO Number,sku,Quantity', ...lines, ''].join('\n');
    const number = 8100 + written.length * 10 + written.charCodeAt(0);
    const first = await dropUnseen('1.csv', rows(`${number},AX-1,5`, `${number + 5000},AX-2,1`));
    const second = await dropUnseen(
      '2.csv',
      rows(`${written.replace('#', `${number}`)},AX-1,7`, `${number + 7000},AX-2,1`),
    );
    expect(second.pos).toEqual([
      `${written.replace('#', `${number}`)} held question`,
      `${number + 7000} ready`,
    ]);
    expect((await desk.statesOf(first.importId))[0]).toBe(`${number} held on_hold 1 lines`);
  },
);

test('such a word is found beside a number with letters, too, and of an item only what takes it back', async () => {
  const rows = (...lines: string[]) =>
    ['PO Number,Sku,QTY,Date B', ...lines.map((line) => `${line},`), ''].join('\n');
  await dropUnseen('1.csv', rows('R-1,AX-1,1', 'R-2,AX-2,1'));
  const second = await dropUnseen(
    '2.csv',
    rows('NOT R-6,AX-1,1', 'old R-7,AX-1,2', 'R-8,NOT AX-100,1', 'R-9,EX 12,1', 'R-10,OLD-100,1'),
  );
  expect(second.pos).toEqual([
    ...['NOT R-6 held question', 'old R-7 held question', 'R-8 held question', 'R-9 ready', 'R-10 ready'],
  ]);
});

test('whom an order goes to is asked about where it says not to order, in a first file and in later ones', async () => {
  const header = 'PO Number,SKU,Qty,Ship Name,Ship Address1,Ship City,Ship State,Ship Zip';
  const rows = (...lines: [po: string, name: string, street: string][]) =>
    [header, ...lines.map(([po, name, street]) => `${po},AX-1,1,${name},${street},Boise,ID,83701`), ''].join(
      '\n',
    );
  const first = await dropUnseen('1.csv', rows(['4601', 'CANCELLED', '1 Main'], ['4602', 'Bob', '1 Main']));
  expect(await desk.whyItWaits(first.importId)).toContain('"Ship Name" says "CANCELLED"');
  const other = header.replace('Ship Name', 'Ship To Name');
  expect((await dropUnseen('2.csv', rows(['4603', 'Ann', '2 Main']).replace(header, other))).pos).toEqual([
    '4603 ready',
  ]);
  const night = rows(
    ['4604', 'VOID - Ann', '2 Main'],
    ['4605', 'Ann', 'do not ship'],
    ['4606', 'Bea', '3 Main'],
  );
  expect((await dropUnseen('3.csv', night.replace(header, other))).pos).toEqual([
    ...['4604 held question', '4605 held question', '4606 ready'],
  ]);
});

test('who has every other new number ordered is asked about one that says not to', async () => {
  const rows = (...lines: string[]) => ['PO Number,Item,qty', ...lines, ''].join('\n');
  await dropUnseen('1.csv', rows('801,AX-1,1', '802,AX-2,1'));
  const second = await dropUnseen('2.csv', rows('Jones roof,AX-1,1'));
  expect(second.pos).toEqual(['Jones roof held question']);
  await desk.answer((await desk.questionsOf(second.importId))[0]!.id, { answer: 'order', wholeColumn: true });
  const third = await dropUnseen('3.csv', rows('Miller job,AX-1,1', '803-void,AX-1,1', '804 on hold,AX-1,1'));
  expect(third.pos).toEqual(['Miller job ready', '803-void held question', '804 on hold held question']);
});

test('numbers of two kinds that somebody has agreed to are known by what they look like', async () => {
  const rows = (...lines: string[]) =>
    ['PO Number,Item,Qty,Date A', ...lines.map((line) => `${line},`), ''].join('\n');
  const first = await dropUnseen('1.csv', rows('901,AX-1,1', 'Online 902,AX-1,2', 'Online 903,AX-1,3'));
  expect(await desk.whyItWaits(first.importId)).toContain('"Online 902"');
  expect(await desk.agree(first.importId)).toEqual(['901 ready', 'Online 902 ready', 'Online 903 ready']);
  const night = await dropUnseen('2.csv', rows('904,AX-1,1', 'Online 905,AX-1,2'));
  expect(night.pos).toEqual(['904 ready', 'Online 905 ready']);
});

test('the same items in another case are the same order', async () => {
  const rows = (...lines: string[]) =>
    ['PO Number,Item,Qty,Date B', ...lines.map((line) => `${line},`), ''].join('\n');
  expect((await dropUnseen('1.csv', rows('951,AX-1,5'))).pos).toEqual(['951 ready']);
  expect((await dropUnseen('2.csv', rows('#951,ax-1,5'))).pos).toEqual(['#951 held similar_po']);
});

describe('a number that was withdrawn holds the plain one, whatever became of it', () => {
  let header = 0;
  const newKind = () => {
    header += 1;
    const columns = `PO Number,Item,Qty,Date ${header}`;
    return (...lines: string[]) => [columns, ...lines.map((line) => `${line},`), ''].join('\n');
  };
  const end = {
    'left out': (importId: string) => answerAll(importId, { answer: 'leave_out' }),
    'left out for the whole column': (importId: string) =>
      answerAll(importId, { answer: 'leave_out', wholeColumn: true }),
    cancelled: async (importId: string) => {
      const { pool } = desk.use.deps;
      const targets = await findActionTargets(pool, 'cancel', { importId });
      await applyOperatorAction(pool, 'cancel', targets, { who: 'Olga' });
    },
  };
  const answerAll = async (importId: string, given: Parameters<typeof desk.answer>[1]) => {
    for (const { id } of await desk.questionsOf(importId)) await desk.answer(id, given);
  };

  test.each([
    ['left out', 'VOID 4#'],
    ['left out', '4# storno'],
    ['left out', '4#-void'],
    ['left out', '4#-VOID-2'],
    ['left out', 'Storno zu 4#'],
    ['left out', '4# delete'],
    ['left out for the whole column', '4# storno'],
    ['cancelled', 'VOID 4#'],
  ] as const)('%s: %s', async (how, written) => {
    const rows = newKind();
    const number = 4000 + header * 10;
    const odd = written.replace('4#', `${number}`);
    await dropUnseen('1.csv', rows(`${number + 5000},AX-1,1`));
    const second = await dropUnseen('2.csv', rows(`${odd},AX-1,2`));
    expect(second.pos).toEqual([`${odd} held question`]);
    await end[how](second.importId);
    const third = await dropUnseen('3.csv', rows(`${number},AX-7,9`, `${number + 1},AX-1,1`));
    expect(third.pos).toEqual([`${number} held similar_po`, `${number + 1} ready`]);
    const [po] = await readPurchaseOrdersNamed(desk.use.deps.pool, `${number}`, 'north');
    expect(po!.reasonText).toContain(`PO ${odd} of import `);
    expect(po!.reasonText).toContain(' was not to be ordered when this file was read');
  });

  test('one that is left out again in the same file, and one that the answer for the whole column was not about', async () => {
    const rows = newKind();
    await dropUnseen('1.csv', rows('9711,AX-1,1'));
    const second = await dropUnseen('2.csv', rows('VOID 9721,AX-1,2'));
    await end['left out for the whole column'](second.importId);
    const third = await dropUnseen(
      '3.csv',
      rows('9721,AX-3,3', 'VOID 9721,AX-1,2', '9731,AX-1,2', '9731 storno,AX-1,1', '9741,AX-1,1'),
    );
    expect(third.pos).toEqual([
      '9721 held similar_po',
      '9731 held similar_po',
      '9731 storno held question',
      '9741 ready',
    ]);
  });

  test('but not if it was only odd and was cancelled: it is sent again as it was meant', async () => {
    const rows = newKind();
    await dropUnseen('1.csv', rows('9851,AX-1,1'));
    const second = await dropUnseen('2.csv', rows('"9861, 9862",AX-1,2'));
    expect(second.pos).toEqual(['9861, 9862 held question']);
    await end.cancelled(second.importId);
    const third = await dropUnseen('3.csv', rows('9861,AX-1,1', '9862,AX-1,1'));
    expect(third.pos).toEqual(['9861 ready', '9862 ready']);
  });

  test('but not if it was ordered', async () => {
    const rows = newKind();
    await dropUnseen('1.csv', rows('9811,AX-1,1'));
    const second = await dropUnseen('2.csv', rows('9821 hold tight,AX-1,2'));
    await answerAll(second.importId, { answer: 'order' });
    expect((await dropUnseen('3.csv', rows('9821,AX-7,9'))).pos).toEqual(['9821 ready']);
  });
});
