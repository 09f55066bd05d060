import type pg from 'pg';
import type { Change } from '../sync/change.ts';
import { iso } from './console/sql-parts.ts';
import { execute } from './query.ts';
import { inTransaction } from './transaction.ts';

/** A position in the feed, valid only within its era. */
export interface FeedPosition {
  /** The ledger's era; a restore begins a new one. */
  era: string;
  position: string;
}

export type FeedPage =
  | { kind: 'changes'; era: string; changes: Change[]; next: FeedPosition; more: boolean }
  /** The ledger was restored, or changes after the position are past their retention period. `start` is the current end of the feed. */
  | { kind: 'read_anew'; why: 'restored' | 'too_old'; start: FeedPosition };

const numberedAtOnce = 5000;
const shownIssues = 100;
const shownLines = 2000;

/**
 * Numbers changes that have no position yet, in the order of their ids, and returns how many. It sees only committed changes, one process
 * at a time, so a later commit never gets an earlier position. The ids of one PO ascend, because each change is made under its row lock.
 */
export const numberChanges = async (pool: pg.Pool): Promise<number> => {
  const waiting = await pool.query({
    name: 'feed-waiting',
    text: 'select from feed where position is null limit 1',
  });
  if (waiting.rowCount === 0) return 0;
  return inTransaction(pool, {}, async (client) => {
    const { rows } = await client.query<{ position: string }>('select position from feed_head for update');
    const numbered = await client.query<{ n: number }>({
      name: 'feed-number',
      text: `with next as (
          select id, $1::bigint + row_number() over (order by id) as position
          from (select id from feed where position is null order by id limit ${numberedAtOnce}) waiting),
        numbered as (update feed f set position = n.position from next n where f.id = n.id returning f.position)
        update feed_head set position = (select max(position) from numbered) where exists (select from numbered)
        returning (select count(*)::int from numbered) as n`,
      values: [rows[0]!.position],
    });
    return numbered.rows[0]?.n ?? 0;
  });
};

const changesSql = `
  select f.id::text, f.position::text, ${iso('f.at')} as at, f.account, f.purchase_order_id::text as "purchaseOrderId",
    f.po_number as "poNumber", f.order_number as "orderNumber", f.kind, f.before, f.after, p.import_id::text as "importId",
    i.file_name as "fileName",
    case when f.kind = 'po.rejected' then (
      select coalesce(jsonb_agg(jsonb_build_object('rowNumber', r.row_number, 'column', r.column_name, 'code', r.code,
        'message', r.message, 'found', r.found, 'expected', r.expected) order by r.row_number), '[]')
      from (select * from row_issues r where r.import_id = p.import_id and r.po_number = p.po_number and r.severity = 'issue'
        order by r.row_number limit ${shownIssues}) r) end as issues,
    case when f.kind = 'po.ordered' then (
      select coalesce(jsonb_agg(jsonb_build_object('rowNumber', l.row_number, 'item', coalesce(l.item_sku, l.item_id), 'sku', l.sku,
        'quantity', l.quantity, 'price', l.dealer_price::text) order by l.row_number), '[]')
      from (select * from lines l where l.import_id = p.import_id and l.po_number = p.po_number
        order by l.row_number limit ${shownLines}) l) end as lines
  from feed f left join purchase_orders p on p.id = f.purchase_order_id left join imports i on i.id = p.import_id
  where f.position > $1::bigint and f.position <= $2::bigint and ($3::text[] is null or f.account = any($3))
  order by f.position limit $4`;

/** The era, the last position, and the position before the first change that is kept. */
const headSql = `
  select h.era::text, h.position::text, coalesce(
    (select f.position - 1 from feed f where f.position is not null order by f.position limit 1), h.position)::text as start
  from feed_head h`;

/**
 * At most `limit` changes after a position, in an order that skips none, even with long transactions running. `next` is the position to
 * continue from, even if no change concerns these accounts.
 *
 * @param from undefined: the oldest kept change. Without an era, a position of this ledger
 * @param accounts null: all
 */
export const readFeed = async (
  pool: pg.Pool,
  from: (Pick<FeedPosition, 'position'> & Partial<FeedPosition>) | undefined,
  accounts: readonly string[] | null,
  limit: number,
): Promise<FeedPage> => {
  await numberChanges(pool);
  const { rows } = await pool.query<{ era: string; position: string; start: string }>({
    name: 'feed-head',
    text: headSql,
  });
  const { era, position: head, start } = rows[0]!;
  // A client that starts over reads the present state, so it continues from the end of the feed.
  const end = { era, position: head };
  if (from?.era !== undefined && from.era !== era) return { kind: 'read_anew', why: 'restored', start: end };
  const after = from?.position ?? start;
  if (BigInt(after) < BigInt(start)) return { kind: 'read_anew', why: 'too_old', start: end };
  const found = await pool.query<Change>({
    name: 'feed-changes',
    text: changesSql,
    values: [after, head, accounts, limit],
  });
  const changes = found.rows;
  const isFull = changes.length === limit;
  const next = isFull ? changes.at(-1)!.position : head;
  return { kind: 'changes', era, changes, next: { era, position: next }, more: isFull };
};

/** The position before the first change since a given time. */
export const feedPositionAt = async (pool: pg.Pool, since: Date): Promise<FeedPosition> => {
  while ((await numberChanges(pool)) === numberedAtOnce);
  const { rows } = await pool.query<FeedPosition>({
    name: 'feed-since',
    text: `select h.era::text, coalesce((select min(f.position) - 1 from feed f where f.at >= $1), h.position)::text as position
      from feed_head h`,
    values: [since],
  });
  return rows[0]!;
};

/** Starts a new era after a restore, which invalidates all earlier cursors. */
export const beginFeedEra = (pool: pg.Pool): Promise<void> =>
  execute(pool, 'update feed_head set era = gen_random_uuid()');

/** Retention of changes, in days. */
export const keptDays = 30;
export const keptMs = keptDays * 86_400_000;
