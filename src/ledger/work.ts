import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { activeStates, type Work } from '../placing/types.ts';
import { quoteIsActive, turnMs } from './quotes.ts';
import { nothingMoves } from './result-due.ts';
import { placedAccounts } from './workers.ts';

const waitOf = (po: string) => `ceil(greatest(0,
  extract(epoch from ${po}.next_at - clock_timestamp()) * 1000,
  (select extract(epoch from a.paused_until - clock_timestamp()) * 1000
   from account_states a where a.account = ${po}.account)))::float8 as "waitMs"`;

/** The columns of a `Work`. */
const work = (po: string) => `${po}.id, ${po}.import_id as "importId", ${po}.state, ${po}.run, ${waitOf(po)}`;

// Named once, so that the partial indices on active states are used.
const isActive = (po: string) => `${po}.state in (${activeStates.map((state) => `'${state}'`).join(', ')})`;
// Without the moment of its writing: it was never written, or a crash stopped the writing.
const resultDue = (i: string) => `(${i}.result_due or ${i}.result_written_at is null)`;

/** No worker holds it, or the one that did is certainly gone. `graceMs` is the parameter with the grace. */
const isFree = (po: string, graceMs: string) =>
  `(${po}.lease_owner is null or ${po}.lease_until + ${graceMs}::float8 * interval '1 millisecond' < clock_timestamp())`;

/**
 * Starts a new run of a PO whose job could not take it: the new key lets the queue accept a job while the old one is
 * still ending. Undefined when a worker holds the PO (it enqueues what comes next) or nothing is left to do.
 */
export const deferRun = async (pool: pg.Pool, id: string, graceMs: number): Promise<Work | undefined> => {
  const { rows } = await pool.query({
    name: 'defer-run',
    text: `update purchase_orders p set run = run + 1,
        next_at = case when ${quoteIsActive('p')}
          then greatest(p.next_at, clock_timestamp() + interval '${turnMs} milliseconds') else p.next_at end
      where p.id = $1 and ${isActive('p')} and ${isFree('p', '$2')}
      returning ${work('p')}`,
    values: [id, graceMs],
  });
  return rows[0];
};

/** The current run of a PO that has a next step and that no worker holds; otherwise undefined. */
export const findFreeRun = async (pool: pg.Pool, id: string, graceMs: number): Promise<Work | undefined> => {
  const { rows } = await pool.query({
    name: 'find-free-run',
    text: `select ${work('p')} from purchase_orders p
      where p.id = $1 and ${isActive('p')} and ${isFree('p', '$2')}`,
    values: [id, graceMs],
  });
  return rows[0];
};

/** A page of one import's POs that have a next step, by id. */
export const listWorkOfImport = async (
  pool: pg.Pool,
  importId: string,
  page: { after: { id: string }; limit: number },
): Promise<Work[]> => {
  const { rows } = await pool.query({
    name: 'list-work-of-import',
    text: `select ${work('p')} from purchase_orders p
      where p.import_id = $1 and ${isActive('p')} and p.id > $2 order by p.id limit $3`,
    values: [importId, page.after.id, page.limit],
  });
  return rows;
};

/**
 * A page of these accounts' POs that have a next step and are nobody's, by import and id; with `lapsed` only those whose lease ran
 * out longer than the grace ago, whose worker is gone for certain.
 */
export const listWork = async (
  pool: pg.Pool,
  page: { after: { importId: string; id: string }; limit: number; graceMs: number; lapsed: boolean },
  accounts: readonly string[],
): Promise<Work[]> => {
  const lapsed = `p.lease_until + $3::float8 * interval '1 millisecond' < clock_timestamp()`;
  const { rows } = await pool.query({
    name: `list-work-${page.lapsed}`,
    text: `select ${work('p')} from purchase_orders p
      where (p.import_id, p.id) > ($4::bigint, $1::bigint) and ${isActive('p')} and p.account = any($5)
        and ${page.lapsed ? `p.lease_owner is not null and ${lapsed}` : `(p.lease_owner is null or ${lapsed})`}
      order by p.import_id, p.id limit $2`,
    values: [page.after.id, page.limit, page.graceMs, page.after.importId, accounts],
  });
  return rows;
};

/**
 * A page, by import and id, of new runs for POs of these accounts that are due and that nobody takes: 10 s after they were due where
 * nobody works at all, 5 minutes where somebody does, so that a queue that is only long is not doubled. Their jobs may
 * be lost while the queue still counts them, or lie where no worker sees them (evicted keys); a new run's key is taken
 * in any case.
 */
export const reviveOverdue = async (
  pool: pg.Pool,
  page: { after: { importId: string; id: string }; limit: number },
  accounts: readonly string[],
): Promise<Work[]> => {
  const { rows } = await pool.query({
    name: 'revive-overdue',
    text: `
      with overdue as (
        select p.id from purchase_orders p
        where (p.import_id, p.id) > ($2::bigint, $3::bigint) and ${isActive('p')} and p.lease_owner is null
          and p.account = any($4)
          and p.next_at < clock_timestamp() - case when exists (
            select from purchase_orders l
            where ${isActive('l')} and l.lease_owner is not null and l.lease_until > clock_timestamp())
            then interval '5 minutes' else interval '10 seconds' end
          and not exists (select from account_states a
            where a.account = p.account and a.paused_until > clock_timestamp() - interval '10 seconds')
        order by p.import_id, p.id limit $1),
      revived as (
        update purchase_orders p set run = p.run + 1, next_at = clock_timestamp()
        from overdue o where p.id = o.id and ${isActive('p')} and p.lease_owner is null
        returning ${work('p')})
      select * from revived order by "importId", id`,
    values: [page.limit, page.after.importId, page.after.id, accounts],
  });
  return rows;
};

/** How many POs have a next step and a worker that can do it: of these accounts and of those that live workers place. */
export const countWork = async (pool: pg.Pool, accounts: readonly string[]): Promise<number> => {
  const { rows } = await pool.query({
    name: 'count-work',
    text: `select count(*)::int as n from purchase_orders p where ${isActive('p')}
      and (p.account = any($1) or p.account in (${placedAccounts}))`,
    values: [accounts],
  });
  return rows[0].n;
};

/** POs that come to their end within so long are asked about in one statement: a busy worker ends hundreds a second. */
const gatherMs = 25;

/**
 * Tells of a PO that has come to its end of which imports it was the last one with a next step, their result files being
 * due: its own, and those in which it came again. Each of them is told to one of those that ask at once.
 */
export const createFinishedCheck = (pool: pg.Pool): ((purchaseOrderId: string) => Promise<string[]>) => {
  let asked: string[] = [];
  let answer: Promise<Map<string, string[]>> | undefined;
  const ask = async (): Promise<Map<string, string[]>> => {
    await sleep(gatherMs);
    const ids = asked;
    asked = [];
    answer = undefined;
    const { rows } = await pool.query<{ po: string; imports: string[] }>({
      name: 'finished-imports-of',
      text: `select po, array_agg(import) as imports from (
          select distinct on (i.id) shown.po, i.id as import
          from (
            select p.id as po, p.import_id from purchase_orders p where p.id = any($1)
            union all
            select r.purchase_order_id, r.import_id from repeated_purchase_orders r where r.purchase_order_id = any($1)
          ) shown
          join imports i on i.id = shown.import_id
          where i.state in ('read', 'refused') and ${resultDue('i')} and ${nothingMoves('i.id')} order by i.id
        ) finished group by po`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.po, row.imports]));
  };
  return async (purchaseOrderId) => {
    asked.push(purchaseOrderId);
    answer ??= ask();
    return (await answer).get(purchaseOrderId) ?? [];
  };
};

/** Imports of these accounts of which nothing moves any more and whose result file is missing or older than what it tells. */
export const listFinishedImports = async (
  pool: pg.Pool,
  limit: number,
  accounts: readonly string[],
): Promise<string[]> => {
  const { rows } = await pool.query({
    name: 'list-finished-imports',
    text: `select i.id from imports i
      where ${resultDue('i')} and i.state in ('read', 'refused') and ${nothingMoves('i.id')} and i.account = any($2)
      order by i.id limit $1`,
    values: [limit, accounts],
  });
  return rows.map((row) => row.id);
};

/** Whose file an import is; undefined when the ledger has no such import. */
export const accountOfImport = async (pool: pg.Pool, importId: string): Promise<string | undefined> => {
  const { rows } = await pool.query({
    name: 'account-of-import',
    text: 'select account from imports where id = $1',
    values: [importId],
  });
  return rows[0]?.account;
};
