import type pg from 'pg';
import { execute, onlyValue, rowsOf } from './query.ts';
import { goneMs, isLive } from './workers.ts';

/** A running worker and how it answered the last request to read its configuration again. */
export interface ReloadAnswer {
  host: string;
  pid: number;
  reloads: number;
  note: string | null;
  refused: boolean;
}

/** How often workers were asked to read their configuration again. */
export const readReloads = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ reloads: number }>({
    name: 'read-reloads',
    text: 'select reloads from ledger_identity',
  });
  return rows[0]?.reloads ?? 0;
};

/** Asks every worker to read its configuration again; returns the number of this request. */
export const askForReload = (pool: pg.Pool): Promise<number> =>
  onlyValue(pool, 'update ledger_identity set reloads = reloads + 1 returning reloads');

export const answerReload = (
  pool: pg.Pool,
  workerId: string,
  { reloads, note, refused }: Pick<ReloadAnswer, 'reloads' | 'refused'> & { note: string },
): Promise<void> =>
  execute(pool, 'update workers set reloads = $2, reload_note = $3, reload_refused = $4 where id = $1', [
    workerId,
    reloads,
    note,
    refused,
  ]);

/** The answers of the running workers, oldest worker first. */
export const listReloadAnswers = (pool: pg.Pool): Promise<ReloadAnswer[]> =>
  rowsOf(
    pool,
    `select host, pid, reloads, reload_note as note, reload_refused as refused from workers w
     where ${isLive('w', '$1')} order by started_at`,
    [goneMs],
  );
