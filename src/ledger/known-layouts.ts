import type pg from 'pg';
import type { KnownValues } from '../intake/layouts/answers.ts';
import type { DecidedValue } from '../intake/layouts/known-values.ts';
import { madeByProgram } from '../intake/layouts/layout.ts';
import type { SeenColumn } from '../intake/layouts/seen-column.ts';
import { formsOf, poNumbers } from '../intake/layouts/shapes.ts';
import { formPrefix, isForm } from '../intake/layouts/telling-values.ts';
import type { Detection } from '../intake/types.ts';
import { applyAnswers } from './apply-answers.ts';
import { lockPurchaseOrders } from './group-rows.ts';
import { type NewLayout, putLayout } from './layouts.ts';
import { columnOf, execute } from './query.ts';
import { inTransaction } from './transaction.ts';

type Client = Pick<pg.Pool, 'query'>;

/** Stores a layout that no person made. Never replaces one that a person agreed to; adds no version if nothing changed. */
const putKnownLayout = async (client: Client, one: NewLayout): Promise<void> => {
  const known = await client.query({
    name: 'known-layout',
    text: `select from layouts where account = $1 and header_key = $2 and ended_at is null
      and (via <> all($4) or settings = $3::jsonb)`,
    values: [one.account, one.headerKey, JSON.stringify(one.settings), madeByProgram],
  });
  if (known.rowCount === 0) await putLayout(client, one);
};

/** What the ledger stores about a file that was read, besides its rows. */
export interface Remembered {
  account: string;
  headerKey: string;
  /** Undefined if none is needed or a person has agreed to one. */
  layout: NewLayout | undefined;
  /** The values of its ignored columns, if it is the first file with its header. */
  seen: readonly SeenColumn[];
}

// Links the current layout of its header: the import's questions belong to it.
const linkSql = `
  update imports i set layout_id = l.id from layouts l
  where i.id = $1 and i.layout_id is null and l.account = i.account and l.header_key = $2 and l.ended_at is null`;

/** A person's decisions about values, and who decided. */
interface Decided {
  values: readonly DecidedValue[];
  who: string;
  via: string;
  note: string | undefined;
}

/**
 * Stores the values of a file's ignored columns for later files with its header, and a person's decisions about them, which also answer
 * questions of earlier files. Runs in the caller's transaction.
 */
export const rememberValues = async (
  client: pg.PoolClient,
  { account, headerKey }: { account: string; headerKey: string },
  seen: readonly SeenColumn[],
  decided?: Decided,
): Promise<void> => {
  const values = seen.flatMap(({ column, values: of }) => of.map(({ key: value }) => ({ column, value })));
  if (values.length > 0)
    await client.query(
      `insert into layout_values (account, header_key, column_key, value_key, answer)
       select $1, $2, *, 'seen' from unnest($3::text[], $4::text[]) on conflict do nothing`,
      [account, headerKey, values.map(({ column }) => column), values.map(({ value }) => value)],
    );
  if (!decided || decided.values.length === 0) return;
  await lockPurchaseOrders(client, account);
  await client.query(
    `insert into layout_values (account, header_key, column_key, value_key, answer, pieces, who, via, note)
     select $1, $2, d.column, d.value, d.answer, d.pieces, $4, $5, $6
     from jsonb_to_recordset($3::jsonb) as d("column" text, value text, answer text, pieces int)
     on conflict (account, header_key, column_key, value_key) do update
       set answer = excluded.answer, pieces = excluded.pieces, who = excluded.who, via = excluded.via, note = excluded.note, at = clock_timestamp()`,
    [account, headerKey, JSON.stringify(decided.values), decided.who, decided.via, decided.note ?? null],
  );
  await applyAnswers(client, account);
};

/**
 * Replaces the known values of some columns of a layout by a person's decisions, which also answer questions of its files. Runs in the
 * caller's transaction.
 */
export const replaceValues = async (
  client: pg.PoolClient,
  { account, headerKey, known }: { account: string; headerKey: string; known: KnownValues },
  { who, via }: { who: string; via: string },
): Promise<void> => {
  await lockPurchaseOrders(client, account);
  const rows = [...known].flatMap(([column, values]) =>
    [...values].map(([value, answer]) => {
      const [word, pieces] = answer.split(' ');
      return { column, value, answer: word, pieces: pieces === undefined ? null : Number(pieces) };
    }),
  );
  await client.query(
    `with given as (select * from jsonb_to_recordset($3::jsonb) as d("column" text, value text, answer text, pieces int)),
      ended as (delete from layout_values v where v.account = $1 and v.header_key = $2 and v.column_key = any($6)
        and not exists (select from given g where g.column = v.column_key and g.value = v.value_key))
     insert into layout_values as v (account, header_key, column_key, value_key, answer, pieces, who, via)
     select $1, $2, g.column, g.value, g.answer, g.pieces, $4, $5 from given g
     on conflict (account, header_key, column_key, value_key) do update
       set answer = excluded.answer, pieces = excluded.pieces, who = excluded.who, via = excluded.via, note = null, at = clock_timestamp()
       where (v.answer, v.pieces) is distinct from (excluded.answer, excluded.pieces)`,
    [account, headerKey, JSON.stringify(rows), who, via, [...known.keys()]],
  );
  await applyAnswers(client, account);
};

/** So many of the latest files, and of their POs, show how numbers are written. */
const [latestFiles, latestPos] = [50, 200];

// A PO that a person is asked about, or that was taken back, shows nothing. Once it is known how the numbers are written, nothing is read.
const numbersSql = `
  select distinct po_number from (
    select p.po_number from (
      select id from imports where account = $1 and layout_id in (select id from layouts where account = $1 and header_key = $2)
      order by id desc limit ${latestFiles}) i
    join purchase_orders p on p.import_id = i.id
    where p.state not in ('rejected', 'cancelled') and p.reason_code is distinct from 'question'
    limit ${latestPos}) latest
  where exists (select from layout_values where account = $1 and header_key = $2 and column_key = '${poNumbers}')
    and not exists (select from layout_values where account = $1 and header_key = $2 and column_key = '${poNumbers}'
      and value_key like '${formPrefix}%')`;

/**
 * Learns how the PO numbers of a header are written: from all its files together, where each has too few to show it. What earlier files had counts
 * as known, too, when the first one shows it.
 */
const learnForms = async (client: pg.PoolClient, { account, headerKey, seen }: Remembered): Promise<void> => {
  const numbers = await columnOf<string>(client, {
    name: 'numbers-of-layout',
    text: numbersSql,
    values: [account, headerKey],
  });
  const { forms, haveUsual } = formsOf(numbers);
  const showsIt = seen.some(
    ({ column, values }) => column === poNumbers && values.some(({ key }) => isForm(key)),
  );
  if (haveUsual || showsIt)
    await execute(
      client,
      `insert into layout_values (account, header_key, column_key, value_key, answer)
       select $1, $2, '${poNumbers}', *, 'seen' from unnest($3::text[]) on conflict do nothing`,
      [account, headerKey, forms],
    );
};

/** Keeps what a file leaves in the ledger, and connects its import with the layout of its header; in the caller's transaction. */
export const remember = async (client: pg.PoolClient, importId: string, file: Remembered): Promise<void> => {
  if (file.layout) await putKnownLayout(client, file.layout);
  await client.query(linkSql, [importId, file.headerKey]);
  await learnForms(client, file);
  await rememberValues(client, file, file.seen);
};

/** An import from before layouts existed. */
export interface EarlierImport {
  detection: Detection;
  /** The mapping that a person chose for this file; null: the account's settings. */
  mapping: unknown;
  fileName: string;
}

/**
 * Creates layouts from an account's imports that predate layouts.
 *
 * @param toLayout returns undefined if the import needs none
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
    await inTransaction(pool, {}, async (client) => {
      if (layout) await putKnownLayout(client, layout);
      await client.query('delete from layouts_to_adopt where import_id = $1', [id]);
    });
  }
};
