import type pg from 'pg';
import type { UnreadImport } from '../intake/inbox/import-register.ts';
import { firstRow, rowsOf } from './query.ts';

type Client = Pick<pg.Pool, 'query'>;

// A file whose header is still unknown waits again, without another notification.
const readAgainSql = `
  update imports set state = 'taken', reason_code = null, reason_text = null, times_waited = times_waited + 1
  where state = 'waiting' and account = any($1) and ($2::text is null or waiting_key = $2 or waiting_header is null
      or waiting_key = (select w.waiting_key from imports w where w.id = $3))
  returning id::text, times_waited as "timesWaited", waiting_key as "waitingKey"`;

/** A waiting file that was released to be read again. */
export type ReleasedImport = UnreadImport & { waitingKey: string };

/**
 * Releases the waiting files of these accounts to be read again.
 *
 * @param alike only files with this header, files waiting under this import's key (its header may have been found later), and files without
 *   a known header
 * @returns the released imports, which have no job yet
 */
export const readWaiting = async (
  client: Client,
  accounts: readonly string[],
  alike?: { headerKey?: string | undefined; importId?: string | undefined },
): Promise<ReleasedImport[]> => {
  const key = alike && (alike.headerKey ?? '');
  return rowsOf(client, readAgainSql, [accounts, key ?? null, alike?.importId ?? null]);
};

/** A file that waits until a person says what it means. */
export interface WaitingImport {
  account: string;
  fileName: string;
  filePath: string;
  waitingKey: string;
  header: string[] | null;
}

/** @param accounts those that the person may act for; null: all */
export const findWaiting = (
  client: Client,
  importId: string,
  accounts: readonly string[] | null,
): Promise<WaitingImport | undefined> =>
  firstRow(
    client,
    `select account, file_name as "fileName", file_path as "filePath", waiting_key as "waitingKey", waiting_header as header
     from imports where id = $1 and state = 'waiting' and ($2::text[] is null or account = any($2))`,
    [importId, accounts],
  );
