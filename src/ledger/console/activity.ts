import type pg from 'pg';
import type { ActivityEntry } from '../../api-contract/activity.ts';
import type { ActivityAction } from '../../api-contract/activity-words.ts';
import { poAction } from '../../api-contract/basics.ts';
import { noteChange } from '../changes.ts';
import { execute, rowsOf } from '../query.ts';
import { iso } from './sql-parts.ts';

/** Who acts, and from where. */
export interface Actor {
  who: string;
  via: 'console' | 'api' | 'command line';
}

/** SQL: the code of an entry. */
export const activityCode = (code: ActivityAction): string => `'${code}'`;

/** Records what a person did, in the caller's transaction. Never give it a password or a token. */
export const recordActivity = (
  client: Pick<pg.Pool, 'query'>,
  action: ActivityAction,
  { who, via }: { who: string; via: string },
  detail: object | null = {},
  about: { account?: string; importId?: string | null | undefined; note?: string | undefined } = {},
): Promise<void> =>
  execute(
    client,
    'insert into operator_actions (who, via, action, account, import_id, note, detail) values ($1, $2, $3, $4, $5, $6, $7)',
    [
      ...[who, via, action, about.account ?? null, about.importId ?? null, about.note ?? null],
      detail && JSON.stringify(detail),
    ],
  );

/** Records what a person did with an account or an import, where nothing else in the ledger changes. */
export const recordAccountAction = async (
  pool: pg.Pool,
  action: ActivityAction,
  by: Actor,
  about: { account: string; importId?: string; note?: string | undefined },
): Promise<void> => {
  await recordActivity(pool, action, by, null, about);
  noteChange(pool, { topics: ['activity'], account: about.account });
};

export interface ActivityFilter {
  /** The accounts that the reader may see; null: all, including entries that belong to no account. */
  accounts: readonly string[] | null;
  account?: string | undefined;
  who?: string | undefined;
  /** A part of the action's code. */
  action?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  /** Only this run's actions on single POs. Without it, such entries are omitted where the entry of their run is shown. */
  bulkRun?: string | undefined;
  /** Every entry, including those of single POs in runs. */
  whole?: boolean;
  /** Only entries before this one. */
  before?: string | undefined;
}

/** Codes that are substrings of others, such as `release` of `bulk_release`: they match only exactly. */
const wholeCodes = [...poAction.options, 'sign_in'];

/** SQL: an entry is about a bulk run as a whole: its start or stop. */
const isOfRun = `a.action like 'bulk\\_%'`;
/** SQL: the reader may see the run of an entry, which may concern several accounts. */
const ofSeenRun = `exists (select from bulk_runs b where b.id = (a.detail ->> 'bulkRun')::bigint
  and (b.accounts <@ $1 or b.filter ->> 'account' = any($1)))`;
/** SQL: the run's own entry is in the list, so its actions on single POs are omitted. */
const isInLine = `(a.detail is not null and a.detail ? 'bulkRun' and not ${isOfRun} and ($1::text[] is null or ${ofSeenRun})
  and (($2::text is null and $5::timestamptz is null) or exists (select from bulk_runs b where b.id = (a.detail ->> 'bulkRun')::bigint
    and ($2::text is null or b.filter ->> 'account' = $2) and ($5::timestamptz is null or b.created_at >= $5))))`;

/** The activity of people, latest first. */
export const listActivity = async (
  pool: pg.Pool,
  filter: ActivityFilter,
  limit: number,
): Promise<ActivityEntry[]> => {
  const { accounts, account, who, action, since, until, before, bulkRun, whole = false } = filter;
  return rowsOf(
    pool,
    `select a.id::text, ${iso('a.at')} as at, a.who, coalesce(a.via, 'command line') as via, a.action, a.account,
       a.import_id::text as "importId", i.file_name as "fileName", a.purchase_order_id::text as "purchaseOrderId",
       p.po_number as "poNumber", a.note, a.detail
     from operator_actions a
     left join imports i on i.id = a.import_id
     left join purchase_orders p on p.id = a.purchase_order_id
     where ($1::text[] is null or a.account = any($1) or (${isOfRun} and ${ofSeenRun})) and ($2::text is null or a.account = $2)
       and ($3::text is null or a.who = $3) and ($4::text is null or a.action = $4 or a.action = 'bulk_' || $4 or (position($4 in a.action) > 0 and $4 <> all($9)))
       and ($5::timestamptz is null or a.at >= $5) and ($6::timestamptz is null or a.at < $6)
       and ($7::bigint is null or a.id < $7)
       and ${bulkRun === undefined ? `($10::text is null and ($11::boolean or not ${isInLine}))` : `a.detail ? 'bulkRun' and a.detail ->> 'bulkRun' = $10 and not ${isOfRun} and $11::boolean is not null`}
     order by a.id desc limit $8`,
    [
      accounts,
      account ?? null,
      who ?? null,
      action ?? null,
      since ?? null,
      until ?? null,
      before ?? null,
      limit,
      wholeCodes,
      bulkRun ?? null,
      whole,
    ],
  );
};
