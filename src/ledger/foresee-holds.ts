import type pg from 'pg';
import { foreseeGuardHold, type GuardCode, guardCodes, unusualLines } from '../placing/guards.ts';
import type { Guards } from '../placing/options.ts';
import type { Line } from '../placing/types.ts';
import { itemKey, listed } from './purchase-order-sql.ts';

/** A line whose quantity the account's guard would hold. */
export interface UnusualLine {
  rowNumber: number;
  poNumber: string;
  /** SKU or item ID. */
  item: string;
  quantity: number;
  /** Decimal text. */
  expectedPrice: string | undefined;
  largestOrdered: number;
  /** False: the account never ordered this item, so `largestOrdered` is the largest of any item. */
  ofItem: boolean;
}

interface LineRow {
  poNumber: string;
  rowNumber: number;
  itemSku: string | null;
  itemId: string | null;
  quantity: number;
  expectedPrice: string | null;
  ofItem: number | null;
  ofAny: number | null;
}

/** A file can have a million lines; at most this many, plus those of one PO, are in memory. */
const linesAtOnce = 10_000;

const linesSql = `
  declare foreseen no scroll cursor for
  select l.po_number as "poNumber", l.row_number as "rowNumber", l.item_sku as "itemSku", l.item_id as "itemId", l.quantity,
    l.expected_price::text as "expectedPrice", m.quantity as "ofItem", any_item.quantity as "ofAny"
  from lines l
  join staged s on s.po_number = l.po_number and s.outcome is null
  left join largest_orders m on m.account = $2 and m.item = ${itemKey('l.item_sku', 'l.item_id')}
  left join largest_orders any_item on any_item.account = $2 and any_item.item = ''
  where l.import_id = $1
  order by l.po_number collate "C", l.row_number`;

const holdSql = `
  update staged s set outcome = 'held', code = h.code, reason = h.reason
  from unnest($1::text[], $2::text[], $3::text[]) h (po_number, code, reason) where h.po_number = s.po_number`;

const asLine = (row: LineRow): Line => ({
  rowNumber: row.rowNumber,
  itemSku: row.itemSku ?? undefined,
  itemId: row.itemId ?? undefined,
  quantity: row.quantity,
  note: undefined,
  expectedPrice: row.expectedPrice ?? undefined,
  answer: undefined,
  largestOrdered: {
    ...(row.ofItem === null ? {} : { ofItem: row.ofItem }),
    ...(row.ofAny === null ? {} : { ofAny: row.ofAny }),
  },
});

const asUnusual = (poNumber: string, line: Line): UnusualLine => {
  const { ofItem, ofAny } = line.largestOrdered!;
  return {
    poNumber,
    rowNumber: line.rowNumber,
    item: (line.itemSku ?? line.itemId)!,
    quantity: line.quantity,
    expectedPrice: line.expectedPrice,
    largestOrdered: (ofItem ?? ofAny)!,
    ofItem: ofItem !== undefined,
  };
};

/** Each PO that would be ordered, with its lines. */
async function* eachPo(
  client: pg.PoolClient,
  importId: string,
  account: string,
): AsyncGenerator<{ poNumber: string; lines: Line[] }> {
  await client.query(linesSql, [importId, account]);
  let poNumber: string | undefined;
  let lines: Line[] = [];
  for (;;) {
    const { rows } = await client.query<LineRow>(`fetch ${linesAtOnce} from foreseen`);
    for (const row of rows) {
      if (row.poNumber !== poNumber) {
        if (poNumber !== undefined) yield { poNumber, lines };
        poNumber = row.poNumber;
        lines = [];
      }
      lines.push(asLine(row));
    }
    if (rows.length < linesAtOnce) break;
  }
  if (poNumber !== undefined) yield { poNumber, lines };
  await client.query('close foreseen');
}

/**
 * For a dry run, in its transaction: marks staged POs as held that a guard will hold, as far as that is known before the service answers,
 * and returns at most `count` unusual quantities, largest first. Uses placing's own rule (rule 5), which decides again when the PO is
 * placed.
 */
export const foreseeHolds = async (
  client: pg.PoolClient,
  { importId, account }: { importId: string; account: string },
  guards: Guards,
  count: number,
): Promise<UnusualLine[]> => {
  const held: { poNumber: string; code: GuardCode; text: string }[] = [];
  let unusual: UnusualLine[] = [];
  for await (const { poNumber, lines } of eachPo(client, importId, account)) {
    const hold = foreseeGuardHold(lines, guards);
    if (hold === undefined) continue;
    held.push({ poNumber, ...hold });
    const more = unusualLines(lines, guards).map((line) => asUnusual(poNumber, line));
    unusual = [...unusual, ...more]
      .sort((a, b) => b.quantity - a.quantity || a.rowNumber - b.rowNumber)
      .slice(0, count);
  }
  await client.query(holdSql, [
    held.map(({ poNumber }) => poNumber),
    held.map(({ code }) => code),
    held.map(({ text }) => text),
  ]);
  return unusual;
};

/** SQL: a guard holds the staged PO. */
export const heldByGuard = (staged: string): string =>
  `(${staged}.outcome = 'held' and ${staged}.code in (${listed(guardCodes)}))`;
