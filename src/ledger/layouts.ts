import type pg from 'pg';
import { fileMappingSchema } from '../intake/file-mapping.ts';
import type { UnreadImport } from '../intake/inbox/import-register.ts';
import { knownOf, type StoredValues } from '../intake/layouts/known-values.ts';
import { type Layout, madeByProgram } from '../intake/layouts/layout.ts';
import { nameOfLayout } from '../intake/layouts/layout-name.ts';
import { noteChange } from './changes.ts';
import { type Actor, recordActivity } from './console/activity.ts';
import { firstRow, onlyValue } from './query.ts';
import { inTransaction } from './transaction.ts';
import { findWaiting, type ReleasedImport, readWaiting } from './waiting-imports.ts';

type Client = Pick<pg.Pool, 'query'>;

const columns = `id::text, account, header_key as "headerKey", name, version, kind, header, settings, who, via, confirmed_at as "confirmedAt"`;

/** A layout with its account. */
export interface StoredLayout extends Layout {
  account: string;
}

/** Undefined if a later version wrote settings that this one does not know; then only its own files wait. */
const toLayout = (row: StoredLayout): StoredLayout | undefined => {
  const settings = fileMappingSchema.safeParse(row.settings);
  return settings.success ? { ...row, settings: settings.data } : undefined;
};

type Values = StoredValues | null;

const toKnown = (values: Values): Pick<Layout, 'known'> =>
  values === null ? {} : { known: knownOf(values) };

/** SQL: the known values of a layout's files: column → value → answer. */
const valuesOfLayout = `(
  select jsonb_object_agg(column_key, of) from (
    select v.column_key, jsonb_object_agg(v.value_key, case when v.answer = 'pieces' then 'pieces ' || v.pieces else v.answer end) as of from layout_values v
    where v.account = l.account and v.header_key = l.header_key group by 1) known)`;

/** The current layouts of an account, latest first, with the known values of their files. */
export const listLayouts = async (client: Client, account: string): Promise<Layout[]> => {
  const { rows } = await client.query<StoredLayout & { values: Values }>({
    name: 'layouts',
    text: `select ${columns}, ${valuesOfLayout} as values
      from layouts l where account = $1 and ended_at is null order by id desc`,
    values: [account],
  });
  return rows.flatMap(({ values, ...row }) => {
    const layout = toLayout(row);
    return layout ? [{ ...layout, ...toKnown(values) }] : [];
  });
};

/** The layouts of these accounts, by account and name. `all`: also earlier and removed versions, latest first. */
export const listLayoutsOf = async (
  client: Client,
  accounts: readonly string[],
  { all = false, id }: { all?: boolean; id?: string } = {},
): Promise<(StoredLayout & { endedAt: Date | undefined; files: number })[]> => {
  const { rows } = await client.query(
    `select ${columns}, ended_at as "endedAt", (select count(*)::int from imports i where i.layout_id = l.id) as files,
       case when ended_at is null then ${valuesOfLayout} end as values
     from layouts l where account = any($1) and ($2 or ended_at is null) and ($3::bigint is null or id = $3)
     order by account, lower(name), version desc, id`,
    [accounts, all, id ?? null],
  );
  return rows.map(({ values, ...row }) => ({
    ...row,
    ...toKnown(values),
    endedAt: row.endedAt ?? undefined,
  }));
};

/** The ID of the newest layout of an account, which changes with each change of its layouts; 0 without layouts. */
export const newestLayout = (client: Client, account: string): Promise<string> =>
  onlyValue(client, {
    name: 'newest-layout',
    text: `select coalesce(max(id), 0)::text as newest from layouts where account = $1 and ended_at is null`,
    values: [account],
  });

/** Until the transaction ends, no one else can agree to a layout of the account or leave one of its files waiting. */
export const lockLayouts = (client: Client, account: string) =>
  client.query(`select pg_advisory_xact_lock(hashtextextended('layouts ' || $1, 0))`, [account]);

/** A layout to be agreed to. */
export type NewLayout = Pick<
  StoredLayout,
  'account' | 'headerKey' | 'kind' | 'name' | 'header' | 'settings' | 'who' | 'via'
>;

/** Another person agreed to a different layout of the header after this one opened the file. The message is for the user. */
export class AgreedMeanwhile extends Error {}

const assertNotOvertaken = async (
  client: Client,
  { account, headerKey, kind, settings, who }: NewLayout,
  openedAt: Date,
): Promise<void> => {
  const other = await firstRow<{ name: string; who: string }>(
    client,
    `select name, who from layouts where account = $1 and header_key = $2 and ended_at is null and confirmed_at > $3
       and who <> $4 and via <> all($5::text[]) and (kind <> $6 or settings <> $7::jsonb)`,
    [account, headerKey, openedAt, who, madeByProgram, kind, JSON.stringify(settings)],
  );
  if (other)
    throw new AgreedMeanwhile(
      `Nothing is changed: after you opened this file, ${other.who} has said what files with its header mean (layout "${other.name}"). Discard this one, and open the file again.`,
    );
};

/**
 * Makes a layout the current one of its header, as a new version. An unchanged layout adds no version, unless a person agrees to one that a
 * program recorded. Runs in the caller's transaction; of two persons, the last one wins.
 *
 * @param openedAt when the person opened the file
 * @throws AgreedMeanwhile
 */
export const putLayout = async (client: Client, one: NewLayout, openedAt?: Date): Promise<Layout> => {
  const { account, headerKey, kind, name, header, settings, who, via } = one;
  await lockLayouts(client, account);
  if (openedAt) await assertNotOvertaken(client, one, openedAt);
  const same = await client.query<StoredLayout>(
    `select ${columns} from layouts where account = $1 and header_key = $2 and ended_at is null
       and kind = $3 and name = $4 and settings = $5::jsonb and (via <> all($6::text[]) or $7 = any($6::text[]))`,
    [account, headerKey, kind, name, JSON.stringify(settings), madeByProgram, via],
  );
  if (same.rows[0]) return same.rows[0];
  await client.query(
    'update layouts set ended_at = clock_timestamp() where account = $1 and header_key = $2 and ended_at is null',
    [account, headerKey],
  );
  const { rows } = await client.query<StoredLayout>(
    `insert into layouts (account, header_key, version, kind, name, header, settings, who, via)
     select $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7, $8 from layouts where account = $1 and header_key = $2
     returning ${columns}`,
    [account, headerKey, kind, name, header, JSON.stringify(settings), who, via],
  );
  return rows[0]!;
};

const detailOf = ({ name, version, kind }: Layout) => ({ name, version, kind });

const isNoOrderSql = `
  update imports set state = 'refused', reason_code = 'no_order', reason_text = $2, read_at = now(), result_due = true,
    times_waited = times_waited + 1
  where id = $1 and state = 'waiting' returning id::text, times_waited as "timesWaited"`;

/**
 * Refuses a waiting file that a person marked as not an order; if it has a header of its own, all files with this header as well.
 *
 * @returns the imports whose files are to be archived or read; undefined if the file does not wait any more
 */
export const refuseAsNoOrder = async (
  pool: pg.Pool,
  importId: string,
  { allAlike, note, ...by }: { who: string; via: Actor['via']; allAlike: boolean; note?: string | undefined },
): Promise<UnreadImport[] | undefined> => {
  const refused = await inTransaction(pool, {}, async (client) => {
    const waiting = await findWaiting(client, importId, null);
    if (!waiting) return undefined;
    const { account, waitingKey: headerKey, header, fileName } = waiting;
    const reason = `${by.who} said that this file is no order${note ? `: ${note}` : '.'}`;
    const { rows } = await client.query<UnreadImport>(isNoOrderSql, [importId, reason]);
    if (rows.length === 0) return undefined;
    if (!allAlike || header === null) {
      await recordActivity(client, 'no_order', by, { fileName }, { account, importId, note });
      return { account, imports: rows };
    }
    const name = nameOfLayout(await listLayouts(client, account), { headerKey, fileName });
    const layout = await putLayout(client, {
      ...by,
      account,
      headerKey,
      header,
      name,
      kind: 'no_order',
      settings: {},
    });
    await recordActivity(client, 'layout_agreed', by, detailOf(layout), { account, importId, note });
    return { account, imports: [...rows, ...(await readWaiting(client, [account], { headerKey }))] };
  });
  if (refused) noteChange(pool, { topics: ['imports', 'activity'], account: refused.account, importId });
  return refused?.imports;
};

/**
 * Records the layout that a person agreed to, and releases the account's waiting files for reading. Runs in the caller's transaction.
 *
 * @returns the layout, and the imports that have no job yet
 */
export const agreeLayout = async (
  client: Client,
  one: NewLayout,
  { openedAt, ...about }: { importId?: string; note?: string | undefined; openedAt?: Date } = {},
): Promise<{ layout: Layout; imports: ReleasedImport[] }> => {
  const layout = await putLayout(client, one, openedAt);
  await recordActivity(client, 'layout_agreed', one, detailOf(layout), { account: one.account, ...about });
  const alike = { headerKey: one.headerKey, importId: about.importId };
  return { layout, imports: await readWaiting(client, [one.account], alike) };
};

/** Removes a layout, so files with its header wait again. @returns undefined if it is not the current one */
export const removeLayout = async (
  pool: pg.Pool,
  id: string,
  by: { who: string; via: string },
  accounts: readonly string[] | null,
): Promise<StoredLayout | undefined> => {
  const removed = await inTransaction(pool, {}, async (client) => {
    const one = await firstRow<StoredLayout>(
      client,
      `update layouts set ended_at = clock_timestamp() where id = $1 and ended_at is null
         and ($2::text[] is null or account = any($2)) returning ${columns}`,
      [id, accounts],
    );
    if (!one) return undefined;
    await recordActivity(client, 'layout_removed', by, detailOf(one), { account: one.account });
    return one;
  });
  if (removed) noteChange(pool, { topics: ['imports', 'activity'], account: removed.account });
  return removed;
};
