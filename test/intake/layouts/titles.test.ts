import { describe, expect, test } from 'vitest';
import type { KnownValues } from '../../../src/intake/layouts/answers.ts';
import { createOtherWatch } from '../../../src/intake/layouts/watch-others.ts';
import { askedOf } from '../support/import-file.ts';

const below = (title: string) => `${title},,,,\n\nPO Number,SKU,Qty\nP-1,A-1,2\n`;

test.each([
  'Order type,RUSH CANCEL',
  'Order type: CANCEL',
  'Belegart = Retoure',
  'Zustand,Storno',
  'Vormerkung',
  'Nur Probe!',
  'Date: 1/12,Order type: CANCEL,Attn: Bob',
  '#,Order type: CANCEL',
  'PO,4711,Order type,CANCEL',
  'Stand: 1/12,Vormerkung',
  'All items in cases of 12',
  'Part 1 of 2',
])(
  'above the first file of a header, a short text or one with a number is asked about: %s',
  async (title) => {
    expect(await askedOf(below(title))).toMatch(
      /^Nobody has said yet.*row 1, above the table, says "(?!Date|Stand)/,
    );
  },
);

test.each([
  'Cancelled: No',
  'Attn: Returns',
  'PO Number,DRAFT-7',
  'Date: 12 November 2026',
  '12/11/2026',
  'Northside Motorsports: restock of week 47',
  'Sent by Dana from the office',
  'Sent by Dana, 16 November 2026, at 10:30',
  'Orders of the week from 11/23 to 11/29/2026',
  'Date: 1/12,Attn: Bob,Cancelled: No',
])(
  'a name, a number, a day, a box that is not ticked and a long value of a label are not: %s',
  async (title) => {
    expect(await askedOf(below(title))).toBeUndefined();
  },
);

describe('a row above the header that would be a line below it', () => {
  const sorted = '4811,AX-1,2\n4812,AX-2,3\nPO Number,SKU,Qty\n4813,AX-3,4\n';
  test('is asked about in a first file', async () => {
    expect(await askedOf(sorted)).toContain(
      'row 1, above the table, looks like a line and would not be ordered: "4811 | AX-1 | 2"',
    );
  });
  test.each(['Run,20261130,14', '2026,quote only,', '4811,AX-1,', 'Date: 11/30/2026,,3'])(
    'is not what looks otherwise: %s',
    async (title) => {
      expect((await askedOf(`${title}\nPO Number,SKU,Qty\n4813,AX-3,4\n`)) ?? '').not.toContain(
        'looks like a line',
      );
    },
  );
});

describe('in later files', () => {
  const watchOf = (known: KnownValues | undefined, ...cells: string[][]) => {
    const watch = createOtherWatch(known, { isFirst: known === undefined, isCombined: false });
    for (const [at, one] of cells.entries())
      watch.addTitle(
        { rowNumber: at + 1, cells: one },
        one.length > 2 && one.every((cell) => /\d/.test(cell)),
      );
    return watch;
  };
  /** A layout's known values after agreement to the file that this watch has seen. */
  const knownOf = (watch: ReturnType<typeof createOtherWatch>): KnownValues =>
    new Map(
      watch
        .seen()
        .map(({ column, values }) => [
          column,
          new Map(values.map(({ key }) => [key, { answer: 'order' as const }])),
        ]),
    ) as unknown as KnownValues;
  const agreed = (...cells: string[][]) => knownOf(watchOf(undefined, ...cells));
  const askedIn = (known: KnownValues, ...cells: string[]) => watchOf(known, cells).unseen(false);

  test('a label with another short value is asked about, the agreed one is not', () => {
    const known = agreed(['Order type', 'RUSH']);
    expect(askedIn(known, 'Order type', 'RUSH')).toEqual([]);
    expect(askedIn(known, 'Order type: Rush')).toEqual([]);
    expect(askedIn(known, 'Order type', 'CANCEL')).toEqual([
      'row 1, above the table, says "Order type: CANCEL"',
    ]);
  });

  test('what says that it is no order is asked about until it was agreed, also by a layout that knows no titles, and of a form', () => {
    const unaware: KnownValues = new Map();
    expect(askedIn(unaware, 'Restock', 'Order for our shop in the north')).toEqual([]);
    expect(askedIn(unaware, 'Restock', 'Quotation 2231', 'All quantities in dozens')).toHaveLength(2);
    expect(watchOf(unaware, ['CANCELLED']).unseen(true)).toHaveLength(1);
    const known = agreed(['Restock', 'Quotation 2231']);
    expect(askedIn(known, 'Restock', 'Quotation 2245')).toEqual([]);
    expect(askedIn(known, 'Restock', 'Quotation 2245', 'INVOICE 88213')).toEqual([
      'row 1, above the table, says "INVOICE 88213"',
    ]);
    const sheet = createOtherWatch(known, { isFirst: false, isCombined: false });
    for (const name of ['Week 48', 'Cancelled POs', 'Quotation']) sheet.addName(name);
    expect(sheet.unseen(false)).toEqual(['the name of the sheet says "Cancelled POs"']);
  });

  test('each row above the header that looks like a line is asked about, and the same one only once', () => {
    const known = agreed(['4811', 'AX-1', '2']);
    expect(askedIn(known, '4811', 'AX-1', '2')).toEqual([]);
    expect(askedIn(known, '4812', 'AX-1', '2')).toEqual([
      'row 1, above the table, looks like a line and would not be ordered: "4812 | AX-1 | 2"',
    ]);
    expect(watchOf(new Map(), ['4811', 'AX-1', '2']).unseen(true)).toHaveLength(1);
  });

  test('a text behind a number is asked about where no file had a title', () => {
    expect(askedIn(agreed(), '100', 'in dozens')).toEqual(['row 1, above the table, says "in dozens"']);
  });

  test('a file name that calls the file another document is asked about in layouts that have looked at names', () => {
    const askedOfName = (known: KnownValues | undefined, name: string) => {
      const watch = createOtherWatch(known, { isFirst: known === undefined, isCombined: false });
      watch.addFileName(name);
      return watch.unseen(false);
    };
    for (const name of ['returns-2026.csv', 'order-history.csv'])
      expect(askedOfName(undefined, name)).toHaveLength(1);
    expect(askedOfName(agreed(), 'quote_4711.csv')).toEqual(['the name of the file says "quote_4711"']);
    expect(askedOfName(agreed(), 'orders-4711.csv')).toEqual([]);
    expect(askedOfName(new Map([[' titles', new Map([['', 'seen']])]]), 'quote_4711.csv')).toEqual([]);
  });

  test('the name of a file that says so is asked about once, whatever numbers are in it', () => {
    const watch = (known?: KnownValues) =>
      createOtherWatch(known, { isFirst: known === undefined, isCombined: false });
    const first = watch();
    first.addFileName('cancelled-2026-11-30.csv');
    expect(first.unseen(false)).toEqual(['the name of the file says "cancelled-2026-11-30"']);
    const known = knownOf(first);
    for (const [name, asked] of [
      ['cancelled-2026-12-01.csv', 0],
      ['orders-2026-12-01.csv', 0],
      ['orders-void.csv', 1],
    ] as const) {
      const later = watch(known);
      later.addFileName(name);
      expect(later.unseen(true)).toHaveLength(asked);
    }
  });

  test('a label that once had a long text is asked about with a short one', () => {
    const known = agreed(['Remarks', 'please call Bob before you ship']);
    expect(askedIn(known, 'Remarks', 'ship all of it by Friday please')).toEqual([]);
    expect(askedIn(known, 'Remarks', 'STORNO')).toHaveLength(1);
  });

  test('each label of a row is compared, wherever it stands', () => {
    const known = agreed(['Order type: RUSH', 'Attn: Bob', 'Date: 1/12']);
    expect(askedIn(known, 'Attn: Sue', 'Order type: RUSH', 'Date: 2/12')).toEqual([]);
    expect(askedIn(known, 'Attn: Sue', 'Order type: CANCEL')).toHaveLength(1);
    expect(askedIn(known, '#', 'Order type: CANCEL')).toHaveLength(1);
    expect(askedIn(known, 'Date: 2/12', 'CANCEL', 'Attn: Sue')).toHaveLength(1);
  });

  test('names, numbers and days may be others each time', () => {
    const known = agreed(['Attn', 'Bob'], ['Date', '12/1/2026'], ['Nr.', '17']);
    expect(askedIn(known, 'Attn', 'Returns')).toEqual([]);
    expect(askedIn(known, 'Date: 3 January 2027')).toEqual([]);
    expect(askedIn(known, 'Nr.', '18')).toEqual([]);
  });

  test('what was agreed by an earlier version, which kept only labels, still counts', () => {
    const known: KnownValues = new Map([
      [
        ' titles',
        new Map([
          ['', {}],
          ['order type', {}],
        ]),
      ],
    ]) as unknown as KnownValues;
    expect(askedIn(known, 'Order type', 'RUSH')).toEqual([]);
    expect(askedIn(known, 'Order kind', 'RUSH')).toHaveLength(1);
  });
});
