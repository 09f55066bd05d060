import type pg from 'pg';
import { execute, filledRows } from './query.ts';

/** A queue that someone else had paused or limited when the sweep checked it. */
export interface QueueHold {
  queue: string;
  /** What blocks its jobs, such as `paused`. */
  what: string;
  noticedAt: Date;
  /** When the sweep removed the hold; undefined if it did not. */
  liftedAt: Date | undefined;
}

/** Records all holds that a sweep found, with whether it lifted them, and removes those that no longer exist. */
export const recordQueueHolds = (
  pool: pg.Pool,
  found: readonly { queue: string; what: string; lifted: boolean }[],
): Promise<void> =>
  execute(pool, {
    name: 'record-queue-holds',
    text: `
      with found as (select * from jsonb_to_recordset($1::jsonb) as f(queue text, what text, lifted boolean)),
      gone as (
        delete from queue_holds h where not exists (select from found f where f.queue = h.queue)
          and (h.lifted_at is null or h.lifted_at < clock_timestamp() - interval '1 day'))
      insert into queue_holds as h (queue, what, lifted_at)
      select queue, what, case when lifted then clock_timestamp() end from found
      on conflict (queue) do update set what = excluded.what, lifted_at = excluded.lifted_at,
        noticed_at = case when h.lifted_at is null then h.noticed_at else excluded.noticed_at end`,
    values: [JSON.stringify(found)],
  });

/** The holds that were not lifted, and those lifted within the last day. */
export const listQueueHolds = (pool: pg.Pool): Promise<QueueHold[]> =>
  filledRows(
    pool,
    `select queue, what, noticed_at as "noticedAt", lifted_at as "liftedAt" from queue_holds
     where lifted_at is null or lifted_at >= clock_timestamp() - interval '1 day' order by queue`,
  );
