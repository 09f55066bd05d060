import type pg from 'pg';
import type { PlacingLedger } from '../placing/placing-ledger.ts';
import { noteChange } from './changes.ts';
import { msFromNow, pauseEnd } from './purchase-order-sql.ts';

// Many POs hit the same problem at once; until the pause ends they count as one pause, shown with the reason of the longest. A repeated
// pause with the same reason and no success in between counts as a change only if it is longer, so that a service that limits every call
// does not fill the log.
const pauseSql = `
  with before as (
    select *, paused_until > clock_timestamp() is true as running from account_states where account = $1 for update
  ), asked as (
    select ${msFromNow(`least($5::float8, $4::float8 * 2 ^ least(30,
      coalesce(b.pauses - (b.running and b.pauses > 0)::int, 0)))`)} as until, $4::float8 < $5::float8 as grows,
      -- Longer than the previous pause: once the cap is reached, another pause of the same length is no change.
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
        else coalesce(a.paused_since, excluded.paused_since) end,
      -- A call in flight may still be answered 429 while a person pauses the account: that pause applies after the resume.
      pause_beneath = case when a.operator_paused_at is null
          or (a.pause_beneath ->> 'until')::timestamptz >= excluded.paused_until then a.pause_beneath
        else jsonb_build_object('until', excluded.paused_until, 'code', excluded.pause_code,
          'reason', excluded.pause_reason, 'since', coalesce(a.pause_beneath ->> 'since', clock_timestamp()::text),
          'pauses', coalesce((a.pause_beneath ->> 'pauses')::int, 0) + excluded.pauses) end
    returning a.paused_until, a.pause_code, xmax = 0 as inserted
  )
  select ceil(greatest(0, extract(epoch from ${pauseEnd('w')} - clock_timestamp()) * 1000))::float8 as "waitMs",
    case when w.inserted or (b.account is not null and b.pause_code is null) then 'begun'
      when b.pause_code <> w.pause_code then 'changed'
      when b.running and w.paused_until > b.paused_until + interval '10 seconds' then 'changed'
      when not b.running and a.grows and a.longer then 'changed'
      else 'unchanged' end as change
  from written w cross join asked a left join before b on true`;

// A success during a pause resets the backoff but does not end the pause, because the service may have asked for it.
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
  where a.account = k.account and (a.pauses > 0 or k.over and k.pause_code is not null)
  returning k.over and k.pause_code is not null as ended`;

/** Pauses of accounts, as placing and tracking use them. */
export const createAccountPauses = (pool: pg.Pool): Pick<PlacingLedger, 'pauseAccount' | 'clearPause'> => ({
  pauseAccount: async (account, { code, reason, firstMs, capMs }) => {
    const { rows } = await pool.query({
      name: 'pause-account',
      text: pauseSql,
      values: [account, code, reason, firstMs, capMs],
    });
    if (rows[0].change !== 'unchanged') noteChange(pool, { topics: ['accounts'], account });
    return { change: rows[0].change, waitMs: Math.ceil(rows[0].waitMs) };
  },

  clearPause: async (account) => {
    const { rows } = await pool.query({ name: 'clear-pause', text: clearPauseSql, values: [account] });
    const ended = rows[0]?.ended ?? false;
    if (ended) noteChange(pool, { topics: ['accounts'], account });
    return ended;
  },
});
