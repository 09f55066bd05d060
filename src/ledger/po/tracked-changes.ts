import type pg from 'pg';
import type { TrackingLedger } from '../../tracking/types.ts';
import { noteChange } from '../changes.ts';
import { itemKey } from '../purchase-order-sql.ts';
import { wasShown } from '../record-orders.ts';
import { firstSubmittedAt } from '../submissions.ts';
import { changePos, partsOf, withParts } from './change.ts';
import { lateWishCode, orderedAnyway, withLateWish } from './wishes.ts';

/** The changes that a poll makes to POs that may be ordered. */
export const createTrackedChanges = (
  pool: pg.Pool,
): Pick<
  TrackingLedger,
  'markChecked' | 'markMissing' | 'markNeverSeen' | 'adopt' | 'closeFinished' | 'reopenUnfinished'
> => ({
  markChecked: async (checked) => {
    if (checked.length === 0) return;
    const { rows } = await pool.query<{ account: string }>({
      name: 'mark-checked',
      // An order equal to the file proves nothing if the file was incomplete when it was picked up.
      text: `
          with checked as (
            select p.id, p.import_id, p.alarm as was,
              -- An alarm is withdrawn only if disproved: unreadable items prove nothing.
              case when c.alarm is null and c.unreadable then p.alarm else ${withLateWish(
                'p',
                `coalesce(c.alarm, case when i.file_grew is not null and p.approvals ->> 'fileGrew' is null
                  then coalesce(case when p.alarm_code is null then p.alarm end, i.file_grew) end)`,
              )} end as alarm
            from unnest($1::bigint[], $2::text[], $3::boolean[]) as c(id, alarm, unreadable)
            join purchase_orders p on p.id = c.id
            join imports i on i.id = p.import_id
            where p.state in ('ordered', 'closed')
            for update of p
          ), changed as (
            select id, import_id from checked where was is distinct from alarm
          ), ${partsOf(
            changePos('marked', {
              by: 'compare',
              from: 'checked c',
              set: { quantities_checked: 'true', alarm: 'c.alarm' },
              changedIf: 'c.was is distinct from c.alarm',
              where: 'p.id = c.id',
              shownOf: 'changed',
            }),
          )}
          select distinct p.account from changed c join purchase_orders p on p.id = c.id`,
      values: [
        checked.map(({ id }) => id),
        checked.map(({ alarm }) => alarm ?? null),
        checked.map(({ unreadable }) => unreadable),
      ],
    });
    for (const { account } of rows) noteChange(pool, { topics: ['purchase-orders', 'imports'], account });
  },

  markMissing: async (id, alarm) => {
    const { rowCount } = await pool.query({
      name: 'mark-missing',
      text: `${withParts(
        changePos('marked', {
          by: 'compare',
          // An alarm that a person has to settle with the service stays; the missing order is one more reason.
          set: { quantities_checked: 'false', alarm: withLateWish('p', '$2::text') },
          where: `p.id = $1 and p.state = 'ordered' and p.alarm is distinct from ${withLateWish('p', '$2::text')}`,
        }),
      )} select from marked`,
      values: [id, alarm],
    });
    await pool.query({
      name: 'mark-orders-gone',
      text: `update orders o set gone_at = clock_timestamp(), changed_at = clock_timestamp()
        where o.purchase_order_id = $1 and o.gone_at is null and ${wasShown('o')}`,
      values: [id],
    });
    if (rowCount === 1) noteChange(pool, { topics: ['purchase-orders', 'imports'], purchaseOrderId: id });
    return rowCount === 1;
  },

  markNeverSeen: async (account, { since, forMs, alarm }) => {
    const { rows } = await pool.query({
      name: 'mark-never-seen',
      // An order recorded only at placing has nothing but its number.
      text: `
        ${withParts(
          changePos('marked', {
            by: 'compare',
            set: { quantities_checked: 'false', alarm: '$3' },
            where: `p.account = $1 and p.state = 'ordered' and p.alarm is null
            and p.ordered_at < clock_timestamp() - $2::float8 * interval '1 millisecond' and p.ordered_at >= $4
            and not exists (select from orders o where o.purchase_order_id = p.id
              and (o.order_status is not null or o.order_date is not null or o.items is not null))`,
          }),
        )}
        select id, po_number as "poNumber" from marked order by id`,
      values: [account, forMs, alarm, since],
    });
    if (rows.length > 0) noteChange(pool, { topics: ['purchase-orders', 'imports'], account });
    return rows;
  },

  adopt: async (po, orderNumbers) => {
    const { rows } = await pool.query({
      name: 'adopt-held',
      text: `
        with ${partsOf(
          changePos('adopted', {
            by: 'adopt',
            set: {
              state: `'ordered'`,
              reason_code: 'null',
              reason_text: 'null',
              alarm: `coalesce((select i.file_grew from imports i where i.id = p.import_id), ${orderedAnyway('p', `'ordered'`)})`,
              alarm_code: lateWishCode('p'),
              cancelling: 'false',
              holding: 'false',
              // The quantities are equal; the next poll compares the rest.
              quantities_checked: 'false',
              ordered_at: firstSubmittedAt('p'),
            },
            where: `p.id = $1 and p.state = 'held' and p.epoch = $2`,
          }),
        )}, placed as (
          insert into orders (purchase_order_id, account, po_number, order_number)
          select a.id, a.account, a.po_number, n from adopted a, unnest($3::text[]) n
          on conflict (purchase_order_id, order_number) do nothing
        ), larger as (
          -- Every order updates the maxima of the guard for unusual quantities.
          insert into largest_orders as m (account, item, quantity)
          select a.account, v.item, max(l.quantity)
          from adopted a join lines l on l.import_id = a.import_id and l.po_number = a.po_number
          cross join lateral (values (${itemKey('l.item_sku', 'l.item_id')}), ('')) v(item)
          group by 1, 2 order by 2
          on conflict (account, item) do update set quantity = excluded.quantity where m.quantity < excluded.quantity
        )
        select count(*)::int as adopted from adopted`,
      values: [po.id, po.epoch, orderNumbers],
    });
    if (rows[0].adopted === 1)
      noteChange(pool, { topics: ['purchase-orders', 'imports'], purchaseOrderId: po.id });
    return rows[0].adopted === 1;
  },

  closeFinished: async (account, finalStatuses, unchangedMs) => {
    const { rowCount } = await pool.query({
      name: 'close-finished',
      text: `
        with finished as (
          select p.id from purchase_orders p
          join orders o on o.purchase_order_id = p.id
          where p.account = $1 and p.state = 'ordered'
          group by p.id
          having bool_and(coalesce(o.order_status = any($2), false))
            or max(o.changed_at) < clock_timestamp() - $3::float8 * interval '1 millisecond'
        ), ${partsOf(
          changePos('closed', {
            by: 'close',
            from: 'finished f',
            set: { state: `'closed'`, closed_at: 'clock_timestamp()' },
            where: `p.id = f.id and p.state = 'ordered'`,
          }),
        )}
        select from closed`,
      values: [account, finalStatuses, unchangedMs],
    });
    if (rowCount) noteChange(pool, { topics: ['purchase-orders', 'imports'], account });
    return rowCount ?? 0;
  },

  reopenUnfinished: async (account, ids, finalStatuses) => {
    const { rows } = await pool.query<{ poNumber: string }>({
      name: 'reopen-unfinished',
      text: `
        ${withParts(
          changePos('reopened', {
            by: 'reopen',
            set: { state: `'ordered'`, closed_at: 'null' },
            where: `p.account = $1 and p.id = any($2) and p.state = 'closed' and exists (
              select from orders o where o.purchase_order_id = p.id and o.gone_at is null and o.changed_at > p.closed_at
                and coalesce(o.order_status <> all($3), true))`,
          }),
        )}
        select po_number as "poNumber" from reopened order by id`,
      values: [account, ids, finalStatuses],
    });
    if (rows.length > 0) noteChange(pool, { topics: ['purchase-orders', 'imports'], account });
    return rows.map(({ poNumber }) => poNumber);
  },
});
