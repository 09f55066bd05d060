import type pg from 'pg';
import { type UnknownFiles, unknownFilesOf } from '../overview.ts';
import { hasOpenAlarm, isMeant } from '../purchase-order-sql.ts';
import { countedAtMost, iso } from './sql-parts.ts';

export interface RefusedFile {
  id: string;
  account: string;
  fileName: string;
  reasonCode: string | null;
  reasonText: string | null;
  takenAt: string;
}

export interface AlarmedPurchaseOrder {
  id: string;
  account: string;
  poNumber: string;
  alarm: string;
  changedAt: string;
}

export interface HourFigures {
  hour: string;
  ordered: number;
  held: number;
  failed: number;
}

export interface CallFigures {
  account: string;
  calls: number;
  unclear: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

// These statements use now(): an index cannot serve a comparison with clock_timestamp(), which changes from row to row.

/** Files that were refused in the last week and not sent again since. */
export const listRefused = async (pool: pg.Pool, accounts: readonly string[]): Promise<RefusedFile[]> => {
  const { rows } = await pool.query<RefusedFile>({
    name: 'console-refused',
    // Sent again: under the same name, or the same bytes.
    text: `
      select i.id::text, i.account, i.file_name as "fileName", i.reason_code as "reasonCode", i.reason_text as "reasonText",
        ${iso('i.taken_at')} as "takenAt"
      from imports i
      where i.state = 'refused' and i.account = any($1) and i.taken_at > now() - interval '7 days'
        and not exists (select from imports l where l.account = i.account and l.id > i.id and l.state <> 'refused'
          and lower(l.file_name) = lower(i.file_name))
        and not exists (select from imports l where l.account = i.account and l.id > i.id and l.sha256 = i.sha256)
      order by i.id desc limit 20`,
    values: [accounts],
  });
  return rows;
};

/** Files that wait for somebody to say what they mean, by account and header, the longest first. */
export const listUnknownFiles = async (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<(UnknownFiles & { account: string })[]> => {
  const { rows } = await pool.query<{ account: string; unknown: UnknownFiles[] }>({
    name: 'console-unknown-files',
    text: `select a.account, ${unknownFilesOf('a.account')} as unknown
      from (select distinct account from imports where state = 'waiting' and account = any($1)) a order by 1`,
    values: [accounts],
  });
  return rows
    .flatMap(({ account, unknown }) =>
      unknown.map((one) => ({ ...one, account, since: new Date(one.since) })),
    )
    .sort((a, b) => a.since.getTime() - b.since.getTime());
};

/** POs of one account that failed or were rejected. */
export interface NotOrdered {
  account: string;
  state: 'failed' | 'rejected';
  /** Counted up to `notOrderedAtMost` + 1. */
  n: number;
  /** When the last of them failed or was rejected. */
  latestAt: string;
  /** The last of them. */
  id: string;
  poNumber: string;
}

/** Older ones than these of an account are not looked at, so that a large ledger answers at once. */
export const notOrderedAtMost = 500;

/** POs that failed or were rejected, until their numbers are ordered, held or cancelled, also by a later file. */
export const listNotOrdered = async (pool: pg.Pool, accounts: readonly string[]): Promise<NotOrdered[]> => {
  const { rows } = await pool.query<NotOrdered>({
    name: 'console-not-ordered',
    text: `
      select account, state, n, ${iso('at')} as "latestAt", id::text, number as "poNumber"
      from (
        select a.account, s.state, count(*)::int as n, max(p.changed_at) as at,
          (array_agg(p.id order by p.changed_at desc, p.id desc))[1] as id,
          (array_agg(p.po_number order by p.changed_at desc, p.id desc))[1] as number
        from unnest($1::text[]) a(account) cross join unnest(array['failed', 'rejected']) s(state)
        cross join lateral (
          select p.id, p.po_number, p.po_key, p.changed_at, p.reason_code, p.quote_only, p.account, p.state from purchase_orders p
          where p.account = a.account and p.state = s.state order by p.id desc limit ${notOrderedAtMost + 1}) p
        where not p.quote_only and ${isMeant('p')}
        group by 1, 2
      ) found order by n desc, 1, 2`,
    values: [accounts],
  });
  return rows;
};

/** The latest POs with an alarm, and how many there are, counted up to 10,001. */
export const listAlarms = async (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<{ alarms: AlarmedPurchaseOrder[]; count: number }> => {
  const { rows } = await pool.query<AlarmedPurchaseOrder & { n: number }>({
    name: 'console-alarms',
    text: `
      select p.id::text, p.account, p.po_number as "poNumber", p.alarm, ${iso('p.changed_at')} as "changedAt",
        (select count(*)::int from (select from purchase_orders c where ${hasOpenAlarm('c')} and c.account = any($1)
          limit ${countedAtMost + 1}) those) as n
      from purchase_orders p where ${hasOpenAlarm('p')} and p.account = any($1)
      order by p.changed_at desc limit 20`,
    values: [accounts],
  });
  return { alarms: rows.map(({ n: _, ...alarm }) => alarm), count: rows[0]?.n ?? 0 };
};

/** The last 24 hours, hour by hour, oldest first. */
export const readHours = async (pool: pg.Pool, accounts: readonly string[]): Promise<HourFigures[]> => {
  const { rows } = await pool.query<HourFigures>({
    name: 'console-hours',
    text: `
      with recent as materialized (
        select state, ordered_at, changed_at from purchase_orders
        where changed_at >= date_trunc('hour', now()) - interval '23 hours' and account = any($1)
      ), counted as (
        select date_trunc('hour', ordered_at) as hour, count(*) as ordered, 0 as held, 0 as failed from recent
          where ordered_at is not null group by 1
        union all
        select date_trunc('hour', changed_at), 0, count(*) filter (where state = 'held'),
          count(*) filter (where state in ('failed', 'rejected')) from recent
          where state in ('held', 'failed', 'rejected') group by 1
      )
      select ${iso('h.hour')} as hour, coalesce(sum(c.ordered), 0)::int as ordered, coalesce(sum(c.held), 0)::int as held,
        coalesce(sum(c.failed), 0)::int as failed
      from generate_series(date_trunc('hour', now()) - interval '23 hours',
        date_trunc('hour', now()), interval '1 hour') h(hour)
      left join counted c on c.hour = h.hour
      group by h.hour order by h.hour`,
    values: [accounts],
  });
  return rows;
};

const latency = `
  count(*) filter (where n.outcome = 'unknown' or (n.outcome is null and n.begun_at < now() - interval '5 minutes'))::int as unclear,
  percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from n.ended_at - n.begun_at)::float8 * 1000) as took`;

interface Quantiles {
  took: (number | null)[] | null;
}

const rounded = (ms: number | null | undefined): number | null =>
  ms === undefined || ms === null ? null : Math.round(ms * 10) / 10;

/** Both quantiles are read from one sort. */
const withQuantiles = <Row extends Quantiles>({ took, ...row }: Row) => ({
  ...row,
  p50Ms: rounded(took?.[0]),
  p95Ms: rounded(took?.[1]),
});

// Of a night with more calls so many of them: the quantiles are the same, and the page stays quick. Without an order, so
// that Postgres reads the last day by its index, and not all calls backwards until there are enough.
const sampledCalls = 50_000;
const recentIntents = `(select * from intents where begun_at >= now() - interval '24 hours' limit ${sampledCalls})`;

/** The changing calls of the last 24 hours by account; of more than 50,000 so many of them. */
export const readCalls = async (pool: pg.Pool, accounts: readonly string[]): Promise<CallFigures[]> => {
  const { rows } = await pool.query<Quantiles & Pick<CallFigures, 'account' | 'calls' | 'unclear'>>({
    name: 'console-calls',
    text: `select p.account, count(*)::int as calls, ${latency}
      from ${recentIntents} n join purchase_orders p on p.id = n.purchase_order_id
      where p.account = any($1) group by 1 order by 1`,
    values: [accounts],
  });
  return rows.map(withQuantiles);
};

/** The changing calls of one account in the last 24 hours by step. */
export const readCallsByStep = async (
  pool: pg.Pool,
  account: string,
): Promise<
  { step: string; count: number; unclear: number; p50Ms: number | null; p95Ms: number | null }[]
> => {
  const { rows } = await pool.query<Quantiles & { step: string; count: number; unclear: number }>({
    name: 'console-calls-by-step',
    text: `select n.step, count(*)::int as count, ${latency}
      from ${recentIntents} n join purchase_orders p on p.id = n.purchase_order_id
      where p.account = $1 group by 1 order by 1`,
    values: [account],
  });
  return rows.map(withQuantiles);
};
