import type pg from 'pg';
import type { EventKind } from '../notify/kinds.ts';
import type { NotificationEvent, Outbox, StandingPo } from '../notify/types.ts';
import { reasonTextOf } from './conflict-reason.ts';
import { isPaused, isUnsolved } from './purchase-order-sql.ts';
import { columnOf, execute, filledRows, onlyValue, rowsOf } from './query.ts';
import { inTransaction } from './transaction.ts';

const openColumns = `id, route, sections, created_at as "createdAt", due_at as "dueAt", sealed_at as "sealedAt", attempts,
  next_at as "nextAt", lease_until as "leaseUntil"`;

const isOpen = 'delivered_at is null and given_up_at is null';

/** SQL: whether the event still applies to the PO. */
const standing: Partial<Record<EventKind, string>> = {
  po_held: `state = 'held'`,
  order_in_doubt: `state = 'held'`,
  po_failed: `p.state = 'failed' and ${isUnsolved('p')}`,
  po_rejected: `p.state = 'rejected' and ${isUnsolved('p')}`,
};

const aboutPo = (id: string): string => `(
  select json_build_object('reason', ${reasonTextOf('q')}, 'fileName', i.file_name, 'firstRow', q.first_row, 'resultPath', i.result_path)
  from purchase_orders q join imports i on i.id = q.import_id where q.id = ${id})`;

const outboxOf = (client: pg.PoolClient, now: Date): Outbox => ({
  now,

  readEvents: (accounts, limit) =>
    rowsOf<NotificationEvent>(
      client,
      `select id, at, kind, account, subject, detail, purchase_order_id as "purchaseOrderId", import_id as "importId",
         case when kind = 'account_paused' then (select a.pause_code from account_states a where a.account = e.account) end as cause,
         ${aboutPo('e.purchase_order_id')} as about
       from notification_events e where account is null or account = any($1) order by id limit $2`,
      [accounts, limit],
    ),

  forgetEvents: async (ids) => {
    if (ids.length > 0) await client.query('delete from notification_events where id = any($1)', [ids]);
  },

  listOpen: (routes) =>
    filledRows(
      client,
      `select ${openColumns} from notifications where ${isOpen} and route = any($1) order by created_at, id`,
      [routes],
    ),

  lastSealed: (routes) =>
    rowsOf(
      client,
      `select route, kind, max(sealed_at) as at from notifications, unnest(kinds) as kind
       where route = any($1) and created_at > clock_timestamp() - interval '2 days' and sealed_at is not null group by 1, 2`,
      [routes],
    ),

  put: async ({ id, route, sections, dueAt }) => {
    const kinds = [...new Set(sections.map(({ kind }) => kind))];
    await client.query(
      `insert into notifications as n (id, route, sections, kinds, due_at)
       values (coalesce($1::uuid, gen_random_uuid()), $2, $3, $4, $5)
       on conflict (id) do update set sections = excluded.sections, kinds = excluded.kinds, due_at = excluded.due_at
         where n.sealed_at is null`,
      [id ?? null, route, JSON.stringify(sections), kinds, dueAt],
    );
  },

  remove: async (ids) => {
    if (ids.length > 0)
      await client.query('delete from notifications where id = any($1) and sealed_at is null', [ids]);
  },

  listToldPauses: () =>
    columnOf<string>(client, `select key from notification_alarms where kind = 'account_paused'`),

  notePauses: ({ told, ended }) =>
    execute(
      client,
      `with over as (delete from notification_alarms where kind = 'account_paused' and key = any($2::text[]))
       insert into notification_alarms (kind, key, account) select 'account_paused', key, key from unnest($1::text[]) key
       on conflict do nothing`,
      [told, ended],
    ),

  listStandingPos: (kind, ids) =>
    rowsOf<StandingPo>(
      client,
      `select id, po_number as "poNumber", changed_at as at, import_id as "importId",
         case when state = 'held' then reason_code else reason_text end as detail, ${aboutPo('p.id')} as about
       from purchase_orders p where id = any($1::bigint[]) and ${standing[kind] ?? 'true'} order by id`,
      [ids],
    ),

  stillHolds: async (kind, account, at) => {
    const ask = (): [sql: string, values: unknown[]] => {
      switch (kind) {
        case 'account_paused':
          return [
            `exists (select from account_states a where a.account = $1 and ${isPaused('a')})`,
            [account],
          ];
        case 'nothing_arrived':
          return ['not exists (select from imports where account = $1 and taken_at >= $2)', [account, at]];
        default:
          return [
            'exists (select from notification_alarms where account is not distinct from $1 and kind = $2)',
            [account, kind],
          ];
      }
    };
    const [condition, values] = ask();
    return onlyValue<boolean>(client, `select ${condition} as holds`, values);
  },

  take: (id, leaseMs) =>
    execute(
      client,
      `update notifications set sealed_at = coalesce(sealed_at, clock_timestamp()), attempts = attempts + 1,
         lease_until = clock_timestamp() + $2::float8 * interval '1 millisecond'
       where id = $1`,
      [id, leaseMs],
    ),
});

/** Whether there is an event or a message that is not delivered. Cheap: processes ask every second. */
export const hasNotifications = (pool: pg.Pool): Promise<boolean> =>
  onlyValue(pool, {
    name: 'has-notifications',
    text: `select exists (select from notification_events) or exists (select from notifications where ${isOpen}) as has`,
  });

/** Processes the outbox in one transaction, in one process at a time; undefined if another process holds it. */
export const withOutbox = async <T>(
  pool: pg.Pool,
  work: (outbox: Outbox) => Promise<T>,
): Promise<T | undefined> =>
  inTransaction(pool, {}, async (client) => {
    // A suspended process must not block the others.
    await client.query(`set local idle_in_transaction_session_timeout = '30s'`);
    const { rows } = await client.query(
      `select pg_try_advisory_xact_lock(hashtextextended('cartwright outbox', 0)) as mine, clock_timestamp() as now`,
    );
    return rows[0].mine ? work(outboxOf(client, rows[0].now)) : undefined;
  });

export const markDelivered = async (pool: pg.Pool, id: string): Promise<void> => {
  await pool.query(
    // The list of POs is needed only until delivery.
    `update notifications set delivered_at = clock_timestamp(), lease_until = null, last_error = null,
       sections = coalesce((select jsonb_agg(s - 'purchaseOrderIds' order by nth)
         from jsonb_array_elements(sections) with ordinality each(s, nth)), '[]')
     where id = $1 and delivered_at is null`,
    [id],
  );
};

/** Records a failed delivery and schedules the retry. A message older than `giveUpAfterMs` is given up. */
export const markUndelivered = async (
  pool: pg.Pool,
  id: string,
  { error, retryMs, giveUpAfterMs }: { error: string; retryMs: number; giveUpAfterMs: number },
): Promise<{ givenUp: boolean }> => {
  const { rows } = await pool.query(
    `update notifications set last_error = $2, lease_until = null,
       next_at = clock_timestamp() + $3::float8 * interval '1 millisecond',
       given_up_at = case when sealed_at < clock_timestamp() - $4::float8 * interval '1 millisecond' then clock_timestamp() end
     where id = $1 and delivered_at is null
     returning given_up_at is not null as "givenUp"`,
    [id, error, retryMs, giveUpAfterMs],
  );
  return { givenUp: rows[0]?.givenUp ?? false };
};

/** Records which kinds of events have recipients; others are not recorded at all. */
export const wantKinds = (pool: pg.Pool, kinds: readonly string[]): Promise<void> =>
  execute(
    pool,
    `insert into notification_kinds (kind) select unnest($1::text[])
     on conflict (kind) do update set wanted_at = clock_timestamp()`,
    [kinds.toSorted()],
  );

/** Deletes old entries, and gives up messages whose route is no longer configured. */
export const pruneNotifications = (pool: pg.Pool, giveUpAfterMs: number): Promise<void> =>
  execute(
    pool,
    `with unwanted as (delete from notification_kinds where wanted_at < now() - interval '1 day'),
     old_events as (delete from notification_events where at < now() - interval '7 days'),
     old_alarms as (delete from notification_alarms where told_at < now() - interval '3 days' and kind <> 'account_paused'),
     old as (delete from notifications where coalesce(delivered_at, given_up_at) < now() - interval '30 days')
     update notifications set given_up_at = now(), last_error = coalesce(last_error, 'no running process has this route')
     where ${isOpen} and due_at < now() - ($1::float8 + 3600000) * interval '1 millisecond'
       and (lease_until is null or lease_until < now())`,
    [giveUpAfterMs],
  );

/** Delivery state of a route. */
export interface RouteState {
  route: string;
  /** Messages that are not delivered yet. */
  waiting: number;
  /** When the oldest of them that could not be delivered was ready to be sent. */
  failingSince: Date | undefined;
  /** Why the last delivery failed; undefined if the last one succeeded. */
  lastError: string | undefined;
  /** Messages that were given up in the last week. */
  givenUp: number;
  /** The kinds of events in the messages given up. */
  givenUpKinds?: string[];
  deliveredAt: Date | undefined;
}

/** The last summary of each route within 30 days: when it was written and sent, or why not. */
export const listLastSummaries = (
  pool: pg.Pool,
): Promise<{ route: string; at: Date; deliveredAt: Date | undefined; error: string | undefined }[]> =>
  filledRows(
    pool,
    `select distinct on (route) route, created_at as at, delivered_at as "deliveredAt", last_error as error
     from notifications where 'summary' = any(kinds) order by route, created_at desc`,
  );

/** The state of each route that has had a message in the last 30 days. */
export const readRouteStates = (pool: pg.Pool): Promise<RouteState[]> =>
  filledRows(
    pool,
    `select route, count(*) filter (where ${isOpen})::int as waiting,
       min(sealed_at) filter (where ${isOpen} and last_error is not null) as "failingSince",
       (array_agg(last_error order by created_at) filter (where last_error is not null
         and (${isOpen} or given_up_at > now() - interval '7 days')))[1] as "lastError",
       count(*) filter (where given_up_at > now() - interval '7 days')::int as "givenUp",
       (select array_agg(distinct kind order by kind) from notifications g, unnest(g.kinds) kind
         where g.route = n.route and g.given_up_at > now() - interval '7 days') as "givenUpKinds",
       max(delivered_at) as "deliveredAt"
     from notifications n group by route order by route`,
  );
