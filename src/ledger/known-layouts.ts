import type pg from 'pg';
import type { SeenColumn } from '../intake/layouts/watch-columns.ts';
import type { Detection } from '../intake/types.ts';
import { type NewLayout, putLayout } from './layouts.ts';
import { inTransaction } from './transaction.ts';

/**
 * Keeps a layout that no person made: from the account's settings, or from an earlier import. It never replaces what a person agreed to,
 * and no version that is the same.
 */
export const putKnownLayout = async (pool: pg.Pool, one: NewLayout): Promise<void> => {
  const known = await pool.query({
    name: 'known-layout',
    text: `select from layouts where account = $1 and header_key = $2 and ended_at is null
      and (via not in ('configuration', 'earlier import', 'standard names') or settings = $3::jsonb)`,
    values: [one.account, one.headerKey, JSON.stringify(one.settings)],
  });
  if (known.rowCount === 0) await inTransaction(pool, {}, (client) => putLayout(client, one));
};

/** Keeps what the first file of a header has in the columns that are not read: only what is new afterwards is asked about. */
export const putSeen = async (
  pool: pg.Pool,
  { account, headerKey }: { account: string; headerKey: string },
  seen: readonly SeenColumn[],
): Promise<void> => {
  const values = seen.flatMap(({ column, values: of }) => of.map((value) => ({ column, value })));
  if (values.length === 0) return;
  await pool.query(
    `insert into layout_values (account, header_key, column_key, value_key, answer)
     select $1, $2, *, 'seen' from unnest($3::text[], $4::text[]) on conflict do nothing`,
    [account, headerKey, values.map(({ column }) => column), values.map(({ value }) => value)],
  );
};

/** Connects an import with the layout that was made of it, so that its questions are those of the layout. */
export const linkLayout = async (pool: pg.Pool, importId: string, headerKey: string): Promise<void> => {
  await pool.query(
    `update imports i set layout_id = l.id from layouts l
     where i.id = $1 and i.layout_id is null and l.account = i.account and l.header_key = $2 and l.ended_at is null`,
    [importId, headerKey],
  );
};

/** An import from before there were layouts. */
export interface EarlierImport {
  detection: Detection;
  /** How a person decided that this file was read; null: by the account's settings. */
  mapping: unknown;
  fileName: string;
}

/**
 * Makes layouts of the imports that are to be adopted for an account.
 *
 * @param toLayout undefined where the import needs none
 */
export const adoptEarlier = async (
  pool: pg.Pool,
  account: string,
  toLayout: (earlier: EarlierImport) => NewLayout | undefined,
): Promise<void> => {
  const { rows } = await pool.query<EarlierImport & { id: string }>({
    name: 'layouts-to-adopt',
    text: `select i.id::text, i.detection, i.file_name as "fileName",
        (select u.mapping from uploads u where u.import_id = i.id and u.mapping is not null limit 1) as mapping
      from layouts_to_adopt a join imports i on i.id = a.import_id where a.account = $1 order by i.id`,
    values: [account],
  });
  for (const { id, ...earlier } of rows) {
    const layout = toLayout(earlier);
    if (layout) await putKnownLayout(pool, layout);
    await pool.query('delete from layouts_to_adopt where import_id = $1', [id]);
  }
};
