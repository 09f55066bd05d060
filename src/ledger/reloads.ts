import type pg from 'pg';
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
export const askForReload = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ reloads: number }>(
    'update ledger_identity set reloads = reloads + 1 returning reloads',
  );
  return rows[0]!.reloads;
};

export const answerReload = async (
  pool: pg.Pool,
  workerId: string,
  { reloads, note, refused }: Pick<ReloadAnswer, 'reloads' | 'refused'> & { note: string },
): Promise<void> => {
  await pool.query('update workers set reloads = $2, reload_note = $3, reload_refused = $4 where id = $1', [
    workerId,
    reloads,
    note,
    refused,
  ]);
};

/** The answers of the running workers, oldest worker first. */
export const listReloadAnswers = async (pool: pg.Pool): Promise<ReloadAnswer[]> => {
  const { rows } = await pool.query<ReloadAnswer>(
    `select host, pid, reloads, reload_note as note, reload_refused as refused from workers w
     where ${isLive('w', '$1')} order by started_at`,
    [goneMs],
  );
  return rows;
};
