import type pg from 'pg';
import { afterWrite, withIntent } from '../../placing/after-write.ts';
import type { BegunStep, PlacingLedger } from '../../placing/placing-ledger.ts';
import type { DueWork, TakenPurchaseOrder } from '../../placing/types.ts';
import { createAccountPauses } from '../account-pauses.ts';
import { notePurchaseOrder } from '../changes.ts';
import { withoutNulls } from '../nulls.ts';
import { placingColumns, readPlacingColumns } from '../purchase-order-row.ts';
import { isStopped, linesOf, msFromNow, pauseEnd, personPaused } from '../purchase-order-sql.ts';
import { changesOne, execute } from '../query.ts';
import { freeAt, giveBackSql, isFree, renewSql } from './lease.ts';
import { orderIsLive, quoteIsActive, quoteLooksAgainMs } from './quotes.ts';
import { transitionStatement } from './transition.ts';
import { updatePos } from './write.ts';

// Includes all POs of the number, because calls sent for a cancelled PO may still affect the cart. A step that a crash left without an
// outcome counts from its beginning; its PO is taken over only after a longer grace.
const unclearCalls = (po: string) => `(
  select extract(epoch from clock_timestamp() - max(coalesce(i.ended_at, i.begun_at)))::float8 * 1000 as since_ms,
    max(i.timeout_ms) as timeout_ms
  from purchase_orders q join intents i on i.purchase_order_id = q.id
  where q.account = ${po}.account and q.po_key = ${po}.po_key and (i.outcome is null or i.outcome = 'unknown')
    and ${po}.state in ('ready', 'cart_created', 'items_added'))`;

const agoMs = (time: string) => `extract(epoch from clock_timestamp() - ${time})::float8 * 1000`;

// An expired lease is taken over only after a grace, because its holder's last call may still take effect.
const takeSql = `
  with taken as (${updatePos({
    by: 'take',
    set: {
      lease_owner: '$2',
      lease_until: msFromNow('$4::float8'),
      dispatch: `case when p.dispatch = 'backlog' then 'window' else p.dispatch end`,
    },
    newRun: true,
    where: `p.id = $1 and p.state = any($3) and p.account = any($6) and p.next_at <= clock_timestamp()
      and ${isFree('p', '$5')}
      and not ${isStopped('p.account')}
      and not ${quoteIsActive('p')}`,
    returning: 'p.*',
  })})
  select t.id, t.account, t.import_id, t.po_number, t.run, t.approvals, t.options, t.created_at,${placingColumns('t')},
    coalesce((select a.pauses from account_states a where a.account = t.account), 0) as account_pauses,
    exists (select from account_states a where a.account = t.account and a.pause_code is not null) as account_was_paused,
    unclear.since_ms as since_unclear_ms, unclear.timeout_ms as unclear_timeout_ms,
    i.file_grew is not null as file_grew,
    t.quote_only, i.file_name, ${orderIsLive('t')} as order_is_live,
    (select coalesce(json_agg(json_build_object(
       'id', n.id::text, 'epoch', n.epoch, 'step', n.step, 'outcome', n.outcome, 'detail', n.detail, 'timeoutMs', n.timeout_ms,
       'begunAgoMs', ${agoMs('n.begun_at')}, 'endedAgoMs', ${agoMs('coalesce(n.ended_at, n.begun_at)')}) order by n.id), '[]')
     from intents n where n.purchase_order_id = t.id) as intents,
    ${linesOf('t')} as lines
  from taken t join imports i on i.id = t.import_id cross join lateral ${unclearCalls('t')} unclear`;

// Why nothing was taken: another state, another process's account, a lease, a pause, not due yet, or the turn of a quote.
const whyNotSql = `
  select p.state, p.account,
    greatest(0, case when ${quoteIsActive('p')} then ${quoteLooksAgainMs} else 0 end,
      extract(epoch from p.next_at - clock_timestamp()) * 1000)::float8 as not_due_ms,
    case when p.lease_owner is null then 0
      else greatest(0, extract(epoch from ${freeAt('p', '$2')} - clock_timestamp()) * 1000) end::float8 as leased_ms,
    coalesce((select greatest(0, extract(epoch from ${pauseEnd('a')} - clock_timestamp()) * 1000)
      from account_states a where a.account = p.account), 0)::float8 as paused_ms
  from purchase_orders p where p.id = $1`;

const readTaken = (row: Record<string, unknown>): TakenPurchaseOrder => ({
  id: row.id as string,
  account: row.account as string,
  importId: row.import_id as string,
  fileName: row.file_name as string,
  poNumber: row.po_number as string,
  ...readPlacingColumns(row),
  run: row.run as number,
  approvals: row.approvals as TakenPurchaseOrder['approvals'],
  quoteOnly: row.quote_only as boolean,
  fileGrew: row.file_grew as boolean,
  orderIsLive: row.order_is_live as boolean,
  options: row.options as TakenPurchaseOrder['options'],
  createdAt: row.created_at as Date,
  intents: withoutNulls(row.intents),
  lines: withoutNulls(row.lines),
  accountPauses: row.account_pauses as number,
  accountWasPaused: row.account_was_paused as boolean,
  sinceUnclearMs: (row.since_unclear_ms as number | null) ?? undefined,
  ...(row.unclear_timeout_ms === null ? {} : { unclearTimeoutMs: row.unclear_timeout_ms as number }),
});

const beginStepSql = `
  with mine as (${updatePos({
    by: 'begin a step',
    set: { state: 'coalesce($6, p.state)', baseline: 'coalesce($7, p.baseline)' },
    // Decide again if a person's wish arrived after the decision.
    where: `p.id = $1 and p.lease_owner = $2 and p.epoch = $3 and p.state = $4
      and p.cancelling = $9 and p.holding = $10
      and ($11 or $5 <> 'submit_order' or (p.approvals ->> 'fileGrew')::boolean is true or not exists (
        select from imports i where i.id = p.import_id and i.file_grew is not null))
      and not ${personPaused('$8')}`,
    returning: 'p.id, p.epoch, p.state',
  })})
  insert into intents (purchase_order_id, epoch, step, timeout_ms) select id, epoch, $5, $12 from mine
  returning id, (select state from mine) as state`;

/** Why a step did not begin. Only a lease that is still ours can continue. */
const whyNotBegun = async (
  pool: pg.Pool,
  po: TakenPurchaseOrder,
  owner: string,
): Promise<Exclude<BegunStep, { kind: 'begun' }>> => {
  const { rows } = await pool.query({
    name: 'why-not-begun',
    text: `select p.cancelling, p.holding, i.file_grew is not null as "fileGrew", ${personPaused('p.account')} as paused
      from purchase_orders p join imports i on i.id = p.import_id
      where p.id = $1 and p.lease_owner = $2 and p.epoch = $3 and p.state = $4`,
    values: [po.id, owner, po.epoch, po.state],
  });
  if (!rows[0]) return { kind: 'lost' };
  const { paused, ...present } = rows[0];
  return paused ? { kind: 'paused' } : { kind: 'changed', po: { ...po, ...present } };
};

const writeUnderLease = async (
  pool: pg.Pool,
  ...[po, owner, transition, ended, begin]: Parameters<PlacingLedger['transitionKeepingLease']>
): ReturnType<PlacingLedger['transitionKeepingLease']> => {
  const statement = transitionStatement(po, owner, transition, ended, { keepLease: true, begin });
  const { rows } = await pool.query(statement);
  if (!rows[0]) return undefined;
  notePurchaseOrder(pool, po);
  const { cancelling, holding, intent_id: intentId } = rows[0];
  const written = { ...afterWrite(po, transition, ended), cancelling, holding };
  return intentId == null
    ? { po: written, intentId: undefined }
    : { po: withIntent(written, intentId, begin!), intentId };
};

const defaultWindow = 32;

/**
 * The ledger as placing uses it. `windowOf` says how many POs of an account may have jobs that can run. Every write is conditional on id, epoch, state and lease owner; each is one statement,
 * and so one transaction.
 */
export const createPlacingLedger = (
  pool: pg.Pool,
  windowOf: (account: string) => number = () => defaultWindow,
): PlacingLedger => ({
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
    // The reason may have ended between the two queries; then the PO is due.
    const waits = [
      ['not_yet', why.not_due_ms],
      ['leased', why.leased_ms],
      ['paused', why.paused_ms],
    ] as const;
    const [reason, waitMs] = waits.reduce((longest, wait) => (wait[1] > longest[1] ? wait : longest));
    return { kind: 'later', waitMs: Math.ceil(waitMs) + 1, why: reason };
  },

  renewLease: (id, owner, leaseMs) =>
    changesOne(pool, {
      name: 'renew-lease',
      text: renewSql,
      values: [id, owner, leaseMs],
    }),

  giveBack: (id, owner) =>
    execute(pool, {
      name: 'give-back-lease',
      text: giveBackSql,
      values: [id, owner],
    }),

  beginStep: async (po, owner, step, also) => {
    const { rows } = await pool.query({
      name: 'begin-step',
      text: beginStepSql,
      values: [
        po.id,
        owner,
        po.epoch,
        po.state,
        step,
        also.state ?? null,
        also.baseline ?? null,
        po.account,
        po.cancelling,
        po.holding,
        po.fileGrew,
        also.timeoutMs ?? null,
      ],
    });
    if (!rows[0]) return whyNotBegun(pool, po, owner);
    const { id, state } = rows[0];
    return { kind: 'begun', intentId: id, po: withIntent({ ...po, state }, id, { step, ...also }) };
  },

  endStep: async (po, owner, ended) =>
    (await writeUnderLease(pool, po, owner, { state: po.state, epoch: 'same', waitMs: 0 }, ended))?.po,

  transition: async (po, owner, transition, ended) => {
    const window = windowOf(po.account);
    const { rows } = await pool.query(
      transitionStatement(po, owner, transition, ended, { keepLease: false, window }),
    );
    if (!rows[0]) return undefined;
    notePurchaseOrder(pool, po);
    return {
      queued: rows[0].dispatch !== 'backlog',
      next: rows.filter(({ id }) => id != null).map(({ dispatch: _, ...work }) => work as DueWork),
    };
  },

  transitionKeepingLease: (...write) => writeUnderLease(pool, ...write),

  noteReadLag: (account, lagMs) =>
    changesOne(pool, {
      name: 'note-read-lag',
      text: `insert into account_states as a (account, read_lag_ms) values ($1, $2)
        on conflict (account) do update set read_lag_ms = excluded.read_lag_ms
          where a.read_lag_ms is null or a.read_lag_ms < excluded.read_lag_ms`,
      values: [account, Math.ceil(lagMs)],
    }),

  ...createAccountPauses(pool),
});
