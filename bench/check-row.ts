// The time to check a row: valid rows of the same PO, valid rows of a new PO each, and rows with issues.
import { specCodeLists } from '../src/contract/carts.ts';
import { matchHeader } from '../src/intake/columns/match-header.ts';
import { createRowCheck } from '../src/intake/rows/check-row.ts';
import { createRowGrouping } from '../src/intake/rows/group-rows.ts';
import { defaultIntakeOptions } from '../test/support/default-intake-options.ts';
import type { Figure } from './support/figures.ts';

const header =
  'po_number,ship_to,ship_name,ship_address1,ship_city,ship_state,ship_zip,email,item_sku,quantity,note,expected_price';

const cells = (po: number, at: number, bad: boolean): string[] => [
  `PO-${po}`,
  bad ? '12345' : `00${10_000 + (po % 90_000)}`,
  `Dealer Number ${po % 5000}`,
  `${po % 999} Main Street`,
  'Holtsville',
  'NY',
  '00501',
  `dealer${po % 5000}@example.com`,
  ` 015-${at % 99_991} `,
  bad ? '0' : String(1 + (at % 9)),
  `dock ${at % 50}`,
  '12.50',
];

/** CPU time, because other work on the machine does not affect it and checking a row never waits. */
const spentMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const microseconds = (rows: number, rowsOf: (at: number) => string[]): number => {
  const { columns } = matchHeader(header.split(','), defaultIntakeOptions);
  const detection = { format: 'csv', columns, headerRow: 1 } as const;
  const check = createRowCheck(detection, defaultIntakeOptions, specCodeLists);
  const grouping = createRowGrouping(check, detection, defaultIntakeOptions);
  const raw = Array.from({ length: 20_000 }, (_, at) => ({ rowNumber: at + 2, cells: rowsOf(at) }));
  let spent = 0;
  for (let done = 0; done < rows; done += raw.length) {
    const sink = { rows: [], rowsWithoutPo: [], issues: [] };
    const startedAt = spentMs();
    for (const row of raw) grouping.take(row, sink);
    // The first round is a warm-up.
    if (done > 0) spent += spentMs() - startedAt;
  }
  return (spent * 1000) / (rows - raw.length);
};

/** @param options.rows rows of each kind */
export const run = async (options: { rows?: number } = {}): Promise<Figure[]> => {
  const rows = options.rows ?? 400_000;
  const same = microseconds(rows, (at) => cells(Math.floor(at / 5), at, false));
  const fresh = microseconds(rows, (at) => cells(at, at, false));
  const mixed = microseconds(rows, (at) => cells(Math.floor(at / 5), at, at % 20 === 0));
  const bad = microseconds(rows, (at) => cells(at, at, true));
  return [
    { name: 'five rows per PO', value: same, unit: 'µs' },
    { name: 'one row per PO', value: fresh, unit: 'µs' },
    { name: 'two issues on every row', value: bad, unit: 'µs' },
    { name: 'issues on every 20th row (µs)', value: mixed, target: '<= 6' },
  ];
};
