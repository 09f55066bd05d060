import type pg from 'pg';
import type { ActiveState, PlacingLedger, TakenPurchaseOrder } from '../placing/types.ts';
import { moveStatement } from './move-purchase-order.ts';
import { orderIsLive, quoteIsActive, turnMs } from './quotes.ts';

/** `$n` milliseconds from now, on the database's clock. */
const after = (parameter: string) => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;

/** The lines of a PO with what the service answered for the cart that now stands, as JSON. */
export const linesOf = (po: string) => `(
  select coalesce(json_agg(json_build_object(
    'rowNumber', l.row_number, 'itemSku', l.item_sku, 'itemId', l.item_id, 'quantity', l.quantity, 'note', l.note,
    'expectedPrice', l.expected_price::text,
    'answer', case when l.answered_epoch = ${po}.cart_epoch then json_build_object(
      'sku', l.sku, 'name', l.name, 'availableQuantity', l.available_quantity,
      'backorderQuantity', l.backorder_quantity, 'dealerPrice', l.dealer_price::text) end
  ) order by l.row_number), '[]')
  from lines l where l.import_id = ${po}.import_id and l.po_number = ${po}.po_number)`;

// Of all POs of the number: the cart of one that a person cancelled may be hit by what was sent for it before. A step
// that a crash left without an outcome counts from its beginning; its PO is taken over after a longer grace than this.
const sinceUnclear = (po: string) => `(
  select extract(epoch from clock_timestamp() - max(coalesce(i.ended_at, i.begun_at))) * 1000
  from purchase_orders q join intents i on i.purchase_order_id = q.id
  where q.account = ${po}.account and q.po_key = ${po}.po_key and (i.outcome is null or i.outcome = 'unknown'))`;

// A lease that ran out is taken over only after a grace: what its holder sent last may still take effect.
const takeSql = `
  with taken as (
    update purchase_orders p
    set lease_owner = $2, lease_until = ${after('$4::float8')}, run = run + 1
    where p.id = $1 and p.state = any($3) and p.account = any($6) and p.next_at <= clock_timestamp()
      and (p.lease_owner is null or p.lease_until + $5::float8 * interval '1 millisecond' < clock_timestamp())
      and not exists (
        select from account_states a where a.account = p.account and a.paused_until > clock_timestamp())
      and not ${quoteIsActive('p')}
    returning p.*
  )
  select t.id, t.account, t.import_id, t.po_number, t.state, t.epoch, t.run, t.cart_epoch, t.cart_number, t.rebuilds,
    t.looks, t.failures, t.baseline, t.approvals, t.cancelling, t.options, t.created_at,
    coalesce(extract(epoch from clock_timestamp() - t.failing_since) * 1000, 0)::float8 as failing_for_ms,
    coalesce((select a.pauses from account_states a where a.account = t.account), 0) as account_pauses,
    exists (select from account_states a where a.account = t.account and a.pause_code is not null) as account_was_paused,
    case when t.state = 'ready' then ${sinceUnclear('t')} end::float8 as since_unclear_ms,
    i.file_grew is not null as file_grew,
    t.quote_only, ${orderIsLive('t')} as order_is_live,
    (select coalesce(json_agg(json_build_object(
       'epoch', n.epoch, 'step', n.step, 'outcome', n.outcome, 'detail', n.detail) order by n.id), '[]')
     from intents n where n.purchase_order_id = t.id) as intents,
    ${linesOf('t')} as lines
  from taken t join imports i on i.id = t.import_id`;

// Why nothing was taken: another state, another process's account, a lease, a pause, not due yet, or the turn of a quote.
const whyNotSql = `
  select p.state, p.account,
    greatest(0, case when ${quoteIsActive('p')} then ${turnMs} else 0 end,
      extract(epoch from p.next_at - clock_timestamp()) * 1000)::float8 as not_due_ms,
    case when p.lease_owner is null then 0
      else greatest(0, extract(epoch from p.lease_until - clock_timestamp()) * 1000 + $2::float8) end::float8 as leased_ms,
    coalesce((select greatest(0, extract(epoch from a.paused_until - clock_timestamp()) * 1000)
      from account_states a where a.account = p.account), 0)::float8 as paused_ms
  from purchase_orders p where p.id = $1`;

// Many POs meet the same trouble at once; it counts as one pause until that pause has ended. The reason shown is that
// of the pause that lasts longest. A pause that follows another one of the same cause with no success in between is news
// only if it is longer: a service that limits every call would fill the log.
const pauseSql = `
  with before as (
    select *, paused_until > clock_timestamp() is true as running from account_states where account = $1 for update
  ), asked as (
    select ${after(`least($5::float8, $4::float8 * 2 ^ least(30,
      coalesce(b.pauses - (b.running and b.pauses > 0)::int, 0)))`)} as until, $4::float8 < $5::float8 as grows,
      -- Longer than the pause before it: once the cap is reached, another one of the same length is no news.
      $4::float8 * 2 ^ (coalesce(b.pauses, 0) - 1) < $5::float8 as longer
    from (select) one left join before b on true
  ), written as (
    insert into account_states as a (account, paused_until, pause_code, pause_reason, pauses, paused_since)
    select $1, until, $2, $3, grows::int, clock_timestamp() from asked
    on conflict (account) do update set
      pauses = a.pauses + case when a.paused_until > clock_timestamp() then 0 else excluded.pauses end,
      (pause_code, pause_reason) = (
        select w.code, w.reason from (values
          (excluded.paused_until, excluded.pause_code, excluded.pause_reason),
          (a.paused_until, a.pause_code, a.pause_reason)) as w(until, code, reason)
        order by w.until desc nulls last limit 1),
      paused_until = greatest(a.paused_until, excluded.paused_until),
      paused_since = case when a.pause_code is null then excluded.paused_since
        else coalesce(a.paused_since, excluded.paused_since) end
    returning a.paused_until, a.pause_code, xmax = 0 as inserted
  )
  select ceil(greatest(0, extract(epoch from w.paused_until - clock_timestamp()) * 1000))::float8 as "waitMs",
    case when w.inserted or (b.account is not null and b.pause_code is null) then 'begun'
      when b.pause_code <> w.pause_code then 'changed'
      when b.running and w.paused_until > b.paused_until + interval '10 seconds' then 'changed'
      when not b.running and a.grows and a.longer then 'changed'
      else 'unchanged' end as change
  from written w cross join asked a left join before b on true`;

// A success while a pause runs ends its growth and not the pause: the service may have asked for it.
const clearPauseSql = `
  with known as (
    select account, pause_code, coalesce(paused_until <= clock_timestamp(), true) as over
    from account_states where account = $1 for update
  )
  update account_states a set pauses = 0,
    pause_code = case when k.over then null else a.pause_code end,
    pause_reason = case when k.over then null else a.pause_reason end,
    paused_since = case when k.over then null else a.paused_since end
  from known k
  where a.account = k.account and a.paused_by is null and (a.pauses > 0 or k.over and k.pause_code is not null)
  returning k.over and k.pause_code is not null as ended`;

/** JSON has null where the types have undefined. */
export const withoutNulls = <T>(value: unknown): T =>
  Array.isArray(value)
    ? (value.map(withoutNulls) as T)
    : value !== null && typeof value === 'object'
      ? (Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== null)
            .map(([name, inner]) => [name, withoutNulls(inner)]),
        ) as T)
      : (value as T);

const readTaken = (row: Record<string, unknown>): TakenPurchaseOrder => ({
  id: row.id as string,
  account: row.account as string,
  importId: row.import_id as string,
  poNumber: row.po_number as string,
  state: row.state as ActiveState,
  epoch: row.epoch as number,
  run: row.run as number,
  cartEpoch: (row.cart_epoch as number | null) ?? undefined,
  cartNumber: (row.cart_number as string | null) ?? undefined,
  rebuilds: row.rebuilds as number,
  looks: row.looks as number,
  failures: row.failures as number,
  failingForMs: row.failing_for_ms as number,
  baseline: (row.baseline as string[] | null) ?? undefined,
  approvals: row.approvals as TakenPurchaseOrder['approvals'],
  quoteOnly: row.quote_only as boolean,
  fileGrew: row.file_grew as boolean,
  orderIsLive: row.order_is_live as boolean,
  cancelling: row.cancelling as boolean,
  options: row.options as TakenPurchaseOrder['options'],
  createdAt: row.created_at as Date,
  intents: withoutNulls(row.intents),
  lines: withoutNulls(row.lines),
  accountPauses: row.account_pauses as number,
  accountWasPaused: row.account_was_paused as boolean,
  sinceUnclearMs: (row.since_unclear_ms as number | null) ?? undefined,
});

/**
 * What placing needs of the ledger. Every write names id, epoch, state and lease owner, and its row count
 * tells whether it took place; each is one statement, and so one transaction.
 */
export const createPlacingLedger = (pool: pg.Pool): PlacingLedger => ({
  take: async (id, { owner, accounts, states, leaseMs, graceMs }) => {
    const { rows } = await pool.query({
      name: 'take-po',
      text: takeSql,
      values: [id, owner, states, leaseMs, graceMs, accounts],
    });
    if (rows[0]) return { kind: 'taken', po: readTaken(rows[0]) };
    const why = (await pool.query({ name: 'why-not', text: whyNotSql, values: [id, graceMs] })).rows[0];
    if (!why || !states.includes(why.state)) return { kind: 'elsewhere', state: why?.state };
    if (!accounts.includes(why.account)) return { kind: 'not_served', account: why.account };
    // Time passes between the two queries: it can be that nothing keeps the PO back any more. It is then due.
    const waits = [
      ['not_yet', why.not_due_ms],
      ['leased', why.leased_ms],
      ['paused', why.paused_ms],
    ] as const;
    const [reason, waitMs] = waits.reduce((longest, wait) => (wait[1] > longest[1] ? wait : longest));
    return { kind: 'later', waitMs: Math.ceil(waitMs) + 1, why: reason };
  },

  renewLease: async (id, owner, leaseMs) => {
    const { rowCount } = await pool.query({
      name: 'renew-lease',
      text: `update purchase_orders set lease_until = ${after('$3::float8')} where id = $1 and lease_owner = $2`,
      values: [id, owner, leaseMs],
    });
    return rowCount === 1;
  },

  beginStep: async (po, owner, step, also) => {
    const { rows } = await pool.query({
      name: 'begin-step',
      text: `
        with mine as (
          update purchase_orders
          set state = coalesce($6, state), baseline = coalesce($7, baseline), changed_at = clock_timestamp()
          where id = $1 and lease_owner = $2 and epoch = $3 and state = $4
            -- A file that has just turned out to be incomplete: the PO is held when it is taken again.
            and ($5 <> 'submit_order' or (approvals ->> 'fileGrew')::boolean is true or not exists (
              select from imports i where i.id = import_id and i.file_grew is not null))
          returning id, epoch)
        insert into intents (purchase_order_id, epoch, step) select id, epoch, $5 from mine returning id`,
      values: [po.id, owner, po.epoch, po.state, step, also.state ?? null, also.baseline ?? null],
    });
    return rows[0]?.id;
  },

  endStep: async (po, owner, ended) => {
    const same = { state: po.state, epoch: 'same', waitMs: 0 } as const;
    const { rows } = await pool.query(moveStatement(po, owner, same, ended, { keepLease: true }));
    return rows[0].moved === 1;
  },

  move: async (po, owner, move, ended, options = { keepLease: false }) => {
    const { rows } = await pool.query(moveStatement(po, owner, move, ended, options));
    return rows[0].moved === 1;
  },

  pauseAccount: async (account, { code, reason, firstMs, capMs }) => {
    const { rows } = await pool.query({
      name: 'pause-account',
      text: pauseSql,
      values: [account, code, reason, firstMs, capMs],
    });
    return { change: rows[0].change, waitMs: Math.ceil(rows[0].waitMs) };
  },

  noteReadLag: async (account, lagMs) => {
    const { rowCount } = await pool.query({
      name: 'note-read-lag',
      text: `insert into account_states as a (account, read_lag_ms) values ($1, $2)
        on conflict (account) do update set read_lag_ms = excluded.read_lag_ms
          where a.read_lag_ms is null or a.read_lag_ms < excluded.read_lag_ms`,
      values: [account, Math.ceil(lagMs)],
    });
    return rowCount === 1;
  },

  clearPause: async (account) => {
    const { rows } = await pool.query({ name: 'clear-pause', text: clearPauseSql, values: [account] });
    return rows[0]?.ended ?? false;
  },
});
