import type pg from 'pg';
import type { EventKind } from '../notify/kinds.ts';
import type { Section } from '../notify/types.ts';
import { hasOpenAlarm, isOpenRefusal, isPaused, isUnsolved } from './purchase-order-sql.ts';
import { columnOf, execute, onlyValue, rowsOf } from './query.ts';
import { inTransaction } from './transaction.ts';

/** A condition that a process found by polling. */
export interface Alarm {
  /** Identifies the condition; reported once a day. */
  key: string;
  account: string | null;
  subject: string;
  detail: string;
}

/**
 * Records the current conditions of a kind. A new one becomes an event, as does one that still holds a day later; the others are deleted.
 *
 * @param among the caller knows only keys with this prefix, and conditions of these accounts
 */
export const recordAlarms = (
  pool: pg.Pool,
  kind: EventKind,
  alarms: readonly Alarm[],
  among: string | readonly string[] = '',
): Promise<void> =>
  execute(pool, {
    name: 'record-alarms',
    text: `
      with now as (
        select * from unnest($2::text[], $3::text[], $4::text[], $5::text[]) as t(key, account, subject, detail)
      ), over as (
        delete from notification_alarms a where a.kind = $1 and starts_with(a.key, $6)
          and ($7::text[] is null or a.account = any($7))
          and not exists (select from now where now.key = a.key)
      ), told as (
        insert into notification_alarms as a (kind, key, account) select $1, key, account from now order by key
        on conflict (kind, key) do update set told_at = clock_timestamp()
          where a.told_at < clock_timestamp() - interval '1 day'
        returning key
      )
      select record_notification($1, now.account, now.subject, now.detail, null, null) from told join now using (key)`,
    values: [
      kind,
      alarms.map(({ key }) => key),
      alarms.map(({ account }) => account),
      alarms.map(({ subject }) => subject),
      alarms.map(({ detail }) => detail),
      typeof among === 'string' ? among : '',
      typeof among === 'string' ? null : among,
    ],
  });

/** The accounts that have had no file since a given time although one was expected later. Times before the account was set up do not count. */
export const listWithoutFiles = (
  pool: pg.Pool,
  expected: readonly { account: string; since: Date; at: Date }[],
): Promise<string[]> =>
  columnOf(
    pool,
    `select a.account from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as a(account, since, at)
     where not exists (select from imports i where i.account = a.account and i.taken_at >= a.since)
       and (exists (select from account_folders f where f.account = a.account and f.known_since < a.at)
         or exists (select from imports i where i.account = a.account and i.taken_at < a.at))`,
    [
      expected.map(({ account }) => account),
      expected.map(({ since }) => since),
      expected.map(({ at }) => at),
    ],
  );

/** The accounts with open orders older than their given time and no status check since. */
export const listNotPolled = (
  pool: pg.Pool,
  since: readonly { account: string; since: Date }[],
): Promise<{ account: string; polledAt: Date | null; note: string | null }[]> =>
  rowsOf(
    pool,
    `select a.account, s.polled_at as "polledAt", s.poll_note as note
     from unnest($1::text[], $2::timestamptz[]) as a(account, since)
     left join account_states s on s.account = a.account
     where coalesce(s.polled_at < a.since, true) and s.operator_paused_at is null
       and exists (select from purchase_orders p where p.account = a.account and p.state = 'ordered'
         and p.ordered_at < a.since)`,
    [since.map(({ account }) => account), since.map((one) => one.since)],
  );

const openKinds = ['disk_full', 'nothing_arrived', 'polls_late', 'backup_failed'] as const;

/** A condition found by a running process that still holds. */
export interface OpenAlarm {
  kind: (typeof openKinds)[number];
  account: string | null;
  subject: string;
  detail?: string | undefined;
}

/**
 * The conditions that held at the last check of a running process; only kinds with a recipient are checked. Failed backups are not
 * included, because the ledger records them itself.
 */
export const listOpenAlarms = async (pool: pg.Pool, accounts: readonly string[]): Promise<OpenAlarm[]> => {
  const { rows } = await pool.query<{ kind: OpenAlarm['kind']; account: string | null; key: string }>(
    `select kind, account, key from notification_alarms
     where kind = any($1) and (account is null or account = any($2)) order by kind, key`,
    [openKinds.filter((kind) => kind !== 'backup_failed'), accounts],
  );
  return rows.map(({ kind, account, key }) => ({ kind, account, subject: account ?? subjectOfDisk(key) }));
};

/** The key of a disk is its host and folder. */
const subjectOfDisk = (key: string): string => {
  const [host, ...folder] = key.split(' ');
  return `${folder.join(' ')} on ${host}`;
};

/** Whether a running process places orders. */
export const isPlacing = (pool: pg.Pool): Promise<boolean> =>
  onlyValue(
    pool,
    `select exists (select from workers where left_at is null and slots > 0
       and seen_at > clock_timestamp() - interval '30 seconds') as placing`,
  );

/** The figures of the last 24 hours, and the current ones. */
const figuresSql = `
  select a.account,
    jsonb_build_object(
      'files', (select count(*) from imports i where i.account = a.account and i.taken_at > now() - interval '1 day'),
      'refused', (select count(*) from imports i where i.account = a.account and i.taken_at > now() - interval '1 day'
        and ${isOpenRefusal('i')}),
      'ordered', (select count(*) from purchase_orders p where p.account = a.account and p.state in ('ordered', 'closed')
        and p.ordered_at > now() - interval '1 day'),
      'failed', (select count(*) from purchase_orders p where p.account = a.account and p.state = 'failed'
        and ${isUnsolved('p')} and p.changed_at > now() - interval '1 day'),
      'rejected', (select count(*) from purchase_orders p where p.account = a.account and p.state = 'rejected'
        and ${isUnsolved('p')} and p.changed_at > now() - interval '1 day'),
      'held', (select count(*) from purchase_orders p where p.account = a.account and p.state = 'held'),
      'alarms', (select count(*) from purchase_orders p where p.account = a.account and ${hasOpenAlarm('p')}),
      'paused', (select count(*) from account_states s where s.account = a.account and ${isPaused('s')})
    ) as counts
  from unnest($1::text[]) as a(account) order by a.account`;

/** Records that a route gets summaries. The summary due before that does not count as missed. */
export const knowSummaries = (pool: pg.Pool, route: string, lastDueAt: Date): Promise<void> =>
  execute(
    pool,
    `with known as (
       insert into notification_alarms (kind, key) values ('summary_route', $1)
       on conflict (kind, key) do update set told_at = clock_timestamp() returning xmax = 0 as is_new
     )
     insert into notification_alarms (kind, key) select 'summary', $2 from known where is_new on conflict do nothing`,
    [route, `${route} ${lastDueAt.toISOString()}`],
  );

/** Queues the summary of these accounts for a route, once per due time. */
export const addSummary = (
  pool: pg.Pool,
  { route, dueAt, accounts }: { route: string; dueAt: Date; accounts: readonly string[] },
): Promise<void> =>
  inTransaction(pool, {}, async (client) => {
    const at = dueAt.toISOString();
    const { rowCount } = await client.query(
      `insert into notification_alarms (kind, key) values ('summary', $1) on conflict do nothing`,
      [`${route} ${at}`],
    );
    if (rowCount !== 1) return;
    const { rows } = await client.query<Pick<Section, 'account' | 'counts'>>(figuresSql, [accounts]);
    const sections = rows.map(
      ({ account, counts }): Section => ({
        ...{ kind: 'summary', account, count: 1, counts, first: [], from: at, until: at },
      }),
    );
    await client.query(
      `insert into notifications (route, sections, kinds, due_at) values ($1, $2, '{summary}', clock_timestamp())`,
      [route, JSON.stringify(sections)],
    );
  });
