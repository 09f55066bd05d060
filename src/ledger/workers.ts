import type pg from 'pg';

/** A worker that was not seen for this long is gone. */
const goneMs = 20_000;

/** A worker's sign of life; answers how many live, this one included. Clears away those that are gone. */
export const beat = async (
  pool: pg.Pool,
  worker: { id: string; host: string; pid: number },
): Promise<number> => {
  const { rows } = await pool.query({
    name: 'beat',
    text: `
      with gone as (
        delete from workers where id <> $1 and seen_at < clock_timestamp() - $4::float8 * interval '1 millisecond' returning 1
      ), mine as (
        insert into workers (id, host, pid) values ($1, $2, $3)
        on conflict (id) do update set seen_at = clock_timestamp()
      )
      select (select count(*) from workers where id <> $1)::int - (select count(*) from gone)::int + 1 as live`,
    values: [worker.id, worker.host, worker.pid, goneMs],
  });
  return rows[0].live;
};

/** A worker that ends. */
export const leave = async (pool: pg.Pool, id: string): Promise<void> => {
  await pool.query('delete from workers where id = $1', [id]);
};

export interface LiveWorker {
  host: string;
  pid: number;
  startedAt: Date;
}

/** The workers that live, oldest first. */
export const listWorkers = async (pool: pg.Pool): Promise<LiveWorker[]> => {
  const { rows } = await pool.query(
    `select host, pid, started_at as "startedAt" from workers
     where seen_at >= clock_timestamp() - $1::float8 * interval '1 millisecond' order by started_at`,
    [goneMs],
  );
  return rows;
};
