import type pg from 'pg';
import type { PollFacts, TrackingLedger } from '../tracking/types.ts';
import { rowWithoutNulls } from './nulls.ts';
import { pauseEnd } from './purchase-order-sql.ts';
import { execute } from './query.ts';
import { firstSubmittedAt, mayHaveOrdered } from './submissions.ts';

/** SQL: the day of a moment in UTC, as days since 1970. */
export const dayOf = (moment: string): string => `((${moment} at time zone 'UTC')::date - date '1970-01-01')`;

// A held PO with a submission that may have acted is still polled (rule 11).
const pollFactsSql = `
  select clock_timestamp() as at, array(
      select ${dayOf('p.ordered_at')} from purchase_orders p where p.account = $1 and p.state = 'ordered'
      union
      select ${dayOf(firstSubmittedAt('p'))} from purchase_orders p
      where p.account = $1 and p.state = 'held' and ${mayHaveOrdered('p')}
      order by 1
    ) as "openDays",
    (select coalesce(json_agg(json_build_array(older_than_days, extract(epoch from asked_at) * 1000)), '[]')
      from poll_ages where account = $1) as asked,
    (select coalesce(json_agg(json_build_array(day, tries, extract(epoch from tried_at) * 1000)), '[]')
      from unread_days where account = $1) as unread,
    a.longest_range_days as "longestRangeDays", a.range_learned_at as "rangeLearnedAt",
    coalesce(greatest(0, extract(epoch from ${pauseEnd('a')} - clock_timestamp()) * 1000), 0)::float8 as "pausedForMs",
    a.pause_reason as "pauseReason"
  from (select) one left join account_states a on a.account = $1`;

/** The inputs of a poll's plan, and what it records for the next one. */
export const createPollFacts = (
  pool: pg.Pool,
): Pick<TrackingLedger, 'readPollFacts' | 'noteAsked' | 'noteLongestRange' | 'noteUnreadDays'> => ({
  readPollFacts: async (account): Promise<PollFacts> => {
    const { rows } = await pool.query({ name: 'poll-facts', text: pollFactsSql, values: [account] });
    const { asked, unread, longestRangeDays, rangeLearnedAt, ...facts } = rowWithoutNulls<
      Omit<PollFacts, 'askedAt' | 'knownRange' | 'unreadDays'> & {
        asked: [number, number][];
        unread: [number, number, number][];
        longestRangeDays?: number;
        rangeLearnedAt?: Date;
      }
    >(rows[0]);
    return {
      ...facts,
      askedAt: new Map(asked.map(([age, ms]) => [age, new Date(ms)])),
      unreadDays: unread.map(([day, tries, ms]) => ({ day, tries, triedAt: new Date(ms) })),
      knownRange: { days: longestRangeDays, learnedAt: rangeLearnedAt },
    };
  },

  noteAsked: (account, olderThanDays, at) =>
    execute(pool, {
      name: 'note-asked',
      text: `insert into poll_ages (account, older_than_days, asked_at) select $1, days, $3 from unnest($2::int[]) days
        on conflict (account, older_than_days) do update set asked_at = excluded.asked_at`,
      values: [account, olderThanDays, at],
    }),

  noteLongestRange: (account, days) =>
    execute(pool, {
      name: 'note-longest-range',
      text: `insert into account_states (account, longest_range_days, range_learned_at) values ($1, $2, clock_timestamp())
        on conflict (account) do update
          set longest_range_days = excluded.longest_range_days, range_learned_at = excluded.range_learned_at`,
      values: [account, days],
    }),

  noteUnreadDays: (account, { unread, over, at }) =>
    execute(pool, {
      name: 'note-unread-days',
      text: `with forgotten as (delete from unread_days where account = $1 and day = any($4::int[]))
        insert into unread_days as u (account, day, since, tried_at, why)
        select $1, day, $5, $5, why from unnest($2::int[], $3::text[]) d(day, why)
        on conflict (account, day) do update set tries = u.tries + 1, tried_at = excluded.tried_at, why = excluded.why`,
      values: [account, unread.map(({ day }) => day), unread.map(({ why }) => why), over, at],
    }),
});
