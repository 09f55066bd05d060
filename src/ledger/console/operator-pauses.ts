import type pg from 'pg';
import { noteChange } from '../changes.ts';
import { updatePos } from '../po/write.ts';
import { isActive } from '../purchase-order-sql.ts';
import { changesOne, firstRow } from '../query.ts';
import { type Actor, activityCode } from './activity.ts';

/** Who acts, from where, and why. */
export type Acting = Actor & { note?: string | undefined };

/** A pause by a person, or an automatic one. */
export interface CurrentPause {
  code: string;
  reason: string | null;
  pausedBy: string | null;
  /** Nothing is sent now; false while one PO tries whether calls succeed again. */
  running: boolean;
}

export type PauseResult =
  | { kind: 'done' }
  /** Already in the requested state, or impossible; `pause` is the present one. */
  | { kind: 'not_possible'; pause: CurrentPause | undefined };

/** The pause of an account; undefined: it has none. */
export const readPause = (pool: pg.Pool, account: string): Promise<CurrentPause | undefined> =>
  firstRow(
    pool,
    `select pause_code as code, pause_reason as reason, operator_paused_by as "pausedBy",
       coalesce(paused_until > clock_timestamp(), false) as running
     from account_states where account = $1 and pause_code is not null`,
    [account],
  );

// The person's name marks the pause (`personPaused`). The year 9999 is for workers of earlier versions, which only check `paused_until`.
const pauseSql = `
  with paused as (
    insert into account_states as a (account, paused_until, pause_code, pause_reason, paused_since,
      operator_paused_at, operator_paused_by, operator_pause_note)
    values ($1, '9999-12-31', 'operator', $4, clock_timestamp(), clock_timestamp(), $2, $3)
    on conflict (account) do update set paused_until = excluded.paused_until, pause_code = excluded.pause_code,
      pause_reason = excluded.pause_reason, paused_since = excluded.paused_since,
      pause_beneath = case when a.pause_code is not null then jsonb_build_object('until', a.paused_until,
        'code', a.pause_code, 'reason', a.pause_reason, 'since', a.paused_since, 'pauses', a.pauses) end,
      operator_paused_at = excluded.operator_paused_at, operator_paused_by = excluded.operator_paused_by,
      operator_pause_note = excluded.operator_pause_note
    where a.operator_paused_at is null
    returning a.account
  )
  insert into operator_actions (who, via, action, account, note)
  select $2, $5, ${activityCode('pause_account')}, account, $3 from paused`;

/** Carries out a statement whose first value is the account. */
const change = async (
  pool: pg.Pool,
  statement: string,
  values: [account: string, ...unknown[]],
): Promise<PauseResult> => {
  const [account] = values;
  if (!(await changesOne(pool, statement, values)))
    return { kind: 'not_possible', pause: await readPause(pool, account) };
  noteChange(pool, { topics: ['accounts', 'activity'], account });
  return { kind: 'done' };
};

/** Pauses an account until a person resumes it: no further step of any PO begins, and nothing is polled. */
export const pauseByOperator = (
  pool: pg.Pool,
  account: string,
  { who, via, note }: Acting,
): Promise<PauseResult> =>
  change(pool, pauseSql, [account, who, note ?? null, `${who} paused it${note ? `: ${note}` : ''}`, via]);

// A pause that the service did not ask for ends early with `pause_code` kept: one PO tries before the others go on.
const resumeSql = `
  with resumed as (
    update account_states a set
      paused_until = coalesce((a.pause_beneath ->> 'until')::timestamptz, clock_timestamp()),
      pause_code = case when a.operator_paused_at is null then a.pause_code else a.pause_beneath ->> 'code' end,
      pause_reason = case when a.operator_paused_at is null then a.pause_reason else a.pause_beneath ->> 'reason' end,
      paused_since = case when a.operator_paused_at is null then a.paused_since
        else (a.pause_beneath ->> 'since')::timestamptz end,
      pauses = case when a.operator_paused_at is null then a.pauses
        else coalesce((a.pause_beneath ->> 'pauses')::int, 0) end,
      operator_paused_at = null, operator_paused_by = null, operator_pause_note = null, pause_beneath = null
    where a.account = $1 and (a.operator_paused_at is not null
      or (a.pause_code not in ('rate_limited', 'restored') and a.paused_until > clock_timestamp()))
    returning a.account
  ), due as (
    -- An existing job may be delayed until the end of the pause; a new run gets one that is not.
    ${updatePos({
      by: 'resume',
      from: 'resumed r',
      set: { dispatch: `'backlog'` },
      newRun: true,
      where: `p.account = r.account and ${isActive('p')} and p.dispatch <> 'backlog' and p.lease_owner is null`,
    })}
  )
  insert into operator_actions (who, via, action, account, note)
  select $2, $4, ${activityCode('resume_account')}, account, $3 from resumed`;

/**
 * Ends a pause by a person, or an automatic one, after which one PO tries at once. A pause that the service asked for (429) and the pause
 * after a restore cannot be ended early.
 */
export const resumeByOperator = (
  pool: pg.Pool,
  account: string,
  { who, via, note }: Acting,
): Promise<PauseResult> => change(pool, resumeSql, [account, who, note ?? null, via]);
