import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isInReplacedFolder } from '../account-folders.ts';
import { isActive, isConflicting } from '../purchase-order-sql.ts';
import { columnOf } from '../query.ts';

const exceptOf = (part: string | undefined): string =>
  part === undefined ? '' : `and i.id not in (select import_id from ${part})`;

const andAlso = (query: string | undefined): string => (query === undefined ? '' : `union all ${query}`);

/**
 * SQL: marks the result files as due that show these POs: those of their own imports, and those of imports that repeated them. `changed` is
 * a part of the statement with the columns `id` and `import_id`. The array makes Postgres find the imports by id even without table
 * statistics. `except`: a part whose imports the statement marks itself, because it can write a row only once. `more`: a query for further
 * imports.
 */
export const makeResultsDue = (changed: string, except?: string, more?: string): string => `
  update imports i set result_due = true
  where not i.result_due ${exceptOf(except)} and i.id = any(array(
    select c.import_id from ${changed} c
    union all
    select r.import_id from ${changed} c join repeated_purchase_orders r on r.purchase_order_id = c.id ${andAlso(more)}))`;

/** SQL: the same, but only for imports that repeated these POs, for statements that update the POs' own import themselves. */
export const makeRepeatsDue = (changed: string, except?: string, more?: string): string => `
  update imports i set result_due = true
  where not i.result_due ${exceptOf(except)} and i.id = any(array(
    select r.import_id from ${changed} c join repeated_purchase_orders r on r.purchase_order_id = c.id ${andAlso(more)}))`;

/** SQL: the imports with POs that conflict with these, whose result files name them. */
export const importsInConflict = (changed: string): string => `
  select q.import_id from ${changed} c join purchase_orders p on p.id = c.id
  join purchase_orders q on q.account = p.account and q.po_key = p.po_key and q.id <> p.id and q.state = 'held' and ${isConflicting('q')}`;

/** SQL: retention has not removed the data that the import's result file needs. */
export const canBeWritten = (i: string): string =>
  `${i}.rows_pruned_at is null and ${i}.copy_pruned_at is null`;

/** SQL: no PO in the import's result file, its own or repeated, has a next step. */
const nothingActive = (importId: string): string => `(
  not exists (select from purchase_orders a where a.import_id = ${importId} and ${isActive('a')})
  and not exists (
    select from repeated_purchase_orders r join purchase_orders a on a.id = r.purchase_order_id
    where r.import_id = ${importId} and ${isActive('a')}))`;

// Without result_written_at the result was never written, or a crash stopped its writing.
const resultDue = (i: string) => `(${i}.result_due or ${i}.result_written_at is null) and ${canBeWritten(i)}`;

/** POs that end within this time share one query, because a busy worker ends hundreds of POs per second. */
const gatherMs = 25;

/**
 * Creates a check to call when a PO has ended. It returns the imports whose result files show the PO, are due, and have no other PO with a
 * next step. Of several POs that end at the same time, only one gets each import.
 */
export const createFinishedCheck = (pool: pg.Pool): ((purchaseOrderId: string) => Promise<string[]>) => {
  let gathered: string[] = [];
  let answer: Promise<Map<string, string[]>> | undefined;
  const query = async (): Promise<Map<string, string[]>> => {
    await sleep(gatherMs);
    const ids = gathered;
    gathered = [];
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
          where i.state in ('read', 'refused') and ${resultDue('i')} and ${nothingActive('i.id')}
            and not ${isInReplacedFolder('i')} order by i.id
        ) finished group by po`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.po, row.imports]));
  };
  return async (purchaseOrderId) => {
    gathered.push(purchaseOrderId);
    answer ??= query();
    return (await answer).get(purchaseOrderId) ?? [];
  };
};

/** Imports of these accounts without active POs whose result file is missing or out of date. */
export const listFinishedImports = (
  pool: pg.Pool,
  limit: number,
  accounts: readonly string[],
): Promise<string[]> =>
  columnOf(pool, {
    name: 'list-finished-imports',
    text: `select i.id from imports i
      where ${resultDue('i')} and i.state in ('read', 'refused') and ${nothingActive('i.id')} and i.account = any($2)
        and not ${isInReplacedFolder('i')}
      order by i.id limit $1`,
    values: [limit, accounts],
  });
