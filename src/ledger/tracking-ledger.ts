import type pg from 'pg';
import type { TrackingLedger, UncheckedPurchaseOrder } from '../tracking/types.ts';
import { createAccountPauses } from './account-pauses.ts';
import { noteChange } from './changes.ts';
import { withoutNulls } from './nulls.ts';
import { createTrackedChanges } from './po/tracked-changes.ts';
import { updatePos } from './po/write.ts';
import { poKeyOf } from './po-key.ts';
import { createPollFacts, dayOf } from './poll-facts.ts';
import { isLive, linesOf } from './purchase-order-sql.ts';
import { changesOne, rowsOf } from './query.ts';
import { recordOrders } from './record-orders.ts';
import { firstSubmittedAt, lastSubmittedAt, mayHaveOrdered } from './submissions.ts';
import { withLock } from './with-lock.ts';

/** The ledger as tracking uses it. */
export const createTrackingLedger = (pool: pg.Pool): TrackingLedger => ({
  withPollLock: (account, work) => withLock(pool, `poll ${account}`, work),

  recordOrders: (account, pos, allSince) => recordOrders(pool, account, pos, allSince),

  takeUnseen: (account, { seenIds, submittedBefore, ages, overdueMs, limit }) =>
    rowsOf(pool, {
      name: 'take-unseen',
      text: `
        with unseen as (
          select p.id, row_number() over (order by p.looked_up_at nulls first, p.id) as turn
          from purchase_orders p left join unnest($2::bigint[]) as seen(id) on seen.id = p.id
          join unnest($6::int[], $7::int[], $8::timestamptz[]) as age(first, last, looked_up_before)
            on ${dayOf('p.ordered_at')} between age.first and age.last
            and (p.looked_up_at < age.looked_up_before) is distinct from false
          where p.account = $1 and p.state = 'ordered' and p.ordered_at < $3 and seen.id is null
          order by turn limit $5
        ), taken as (
          ${updatePos({
            by: 'look up',
            from: 'unseen u',
            set: { looked_up_at: 'clock_timestamp()' },
            where: 'p.id = u.id',
            returning: `u.turn, p.id, p.po_number as "poNumber",
            coalesce(${lastSubmittedAt('p')}, p.ordered_at) < clock_timestamp() - $4::float8 * interval '1 millisecond' as overdue`,
          })}
        )
        select id, "poNumber", overdue from taken order by turn`,
      values: [
        account,
        seenIds,
        submittedBefore,
        overdueMs,
        limit,
        ages.map(({ first }) => first),
        ages.map(({ last }) => last),
        ages.map(({ lookedUpBefore }) => lookedUpBefore),
      ],
    }),

  listUnchecked: async (account, poNumbers) => {
    const { rows } = await pool.query({
      name: 'list-unchecked',
      text: `select p.id, p.po_number as "poNumber", p.state, p.epoch, coalesce(p.baseline, '{}') as baseline, p.options,
          coalesce(p.ordered_at, ${firstSubmittedAt('p')}) as "submittedAt",
          ${linesOf('p')} as lines
        from (select distinct * from unnest($2::text[], $3::text[]) as asked(po_number, po_key)) asked
        join purchase_orders p on p.account = $1 and p.po_key = asked.po_key and p.po_number = asked.po_number
        join imports i on i.id = p.import_id and i.rows_pruned_at is null
        where ${isLive('p')}
          and ((p.state in ('ordered', 'closed') and not p.quantities_checked)
            or (p.state = 'held' and ${mayHaveOrdered('p')}))`,
      values: [account, poNumbers, poNumbers.map(poKeyOf)],
    });
    return rows.map((row) => ({ ...row, lines: withoutNulls(row.lines) }) as UncheckedPurchaseOrder);
  },

  noteUnreadableItems: (account, unreadable) =>
    changesOne(pool, {
      name: 'note-unreadable-items',
      text: `insert into account_states as a (account, items_unreadable_since)
          values ($1, case when $2 then clock_timestamp() end)
          on conflict (account) do update set items_unreadable_since = excluded.items_unreadable_since
            where case when excluded.items_unreadable_since is null
              then a.items_unreadable_since < clock_timestamp() - interval '1 day'
              else a.items_unreadable_since is null end`,
      values: [account, unreadable],
    }),

  notePoll: async (account, note) => {
    await pool.query({
      name: 'note-poll',
      text: `insert into account_states (account, polled_at, poll_note)
        values ($1, case when $2::text is null then clock_timestamp() end, $2)
        on conflict (account) do update
          set polled_at = coalesce(excluded.polled_at, account_states.polled_at), poll_note = excluded.poll_note`,
      values: [account, note ?? null],
    });
    noteChange(pool, { topics: ['accounts'], account });
  },

  ...createTrackedChanges(pool),
  ...createPollFacts(pool),
  ...createAccountPauses(pool),
});
