import type pg from 'pg';

/** A queue that was paused or limited by somebody else, as the sweep found it. */
export interface QueueHold {
  queue: string;
  /** What keeps its jobs back, such as `paused`. */
  what: string;
  noticedAt: Date;
  /** When the sweep put it right; undefined while it is left as it is. */
  liftedAt: Date | undefined;
}

/** Writes down what a sweep found: all holds there are, lifted now or left. Those that are gone are forgotten. */
export const recordQueueHolds = async (
  pool: pg.Pool,
  found: readonly { queue: string; what: string; lifted: boolean }[],
): Promise<void> => {
  await pool.query({
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
};

/** The holds that are left as they are, and those that were lifted within the last day. */
export const listQueueHolds = async (pool: pg.Pool): Promise<QueueHold[]> => {
  const { rows } = await pool.query(
    `select queue, what, noticed_at as "noticedAt", lifted_at as "liftedAt" from queue_holds
     where lifted_at is null or lifted_at >= clock_timestamp() - interval '1 day' order by queue`,
  );
  return rows.map((row) => ({ ...row, liftedAt: row.liftedAt ?? undefined }));
};
