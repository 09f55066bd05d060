import type pg from 'pg';
import type { FetchedFile, FileVersion, TransferRegister } from '../sources/transfer-register.ts';
import { changesOne, execute } from './query.ts';

/** A file's version as Postgres returns it: bigint is text. */
type Numbers<T> = Omit<T, 'sizeBytes' | 'modifiedMs'> & { sizeBytes: string; modifiedMs: string };

const withNumbers = <T extends FileVersion>(row: Numbers<T>): T =>
  ({ ...row, sizeBytes: Number(row.sizeBytes), modifiedMs: Number(row.modifiedMs) }) as unknown as T;

/** The register of files that are exchanged with SFTP servers. */
export const createTransferRegister = (pool: pg.Pool): TransferRegister => ({
  lease: (account, part, owner, ms) =>
    changesOne(pool, {
      name: 'lease-file-exchange',
      text: `insert into file_exchanges as e (account, part, leased_by, leased_until)
        values ($1, $2, $3, clock_timestamp() + $4 * interval '1 millisecond')
        on conflict (account, part) do update set leased_by = excluded.leased_by, leased_until = excluded.leased_until
          where e.leased_by is null or e.leased_by = $3 or e.leased_until < clock_timestamp()`,
      values: [account, part, owner, ms],
    }),

  release: (account, part, owner) =>
    execute(
      pool,
      `update file_exchanges set leased_by = null, leased_until = null
       where account = $1 and part = $2 and leased_by = $3`,
      [account, part, owner],
    ),

  listFetched: async (account, folder) => {
    const { rows } = await pool.query<Numbers<FetchedFile>>({
      name: 'list-fetched-files',
      text: `select name, claim_id as "claimId", size_bytes as "sizeBytes", modified_ms as "modifiedMs"
        from fetched_files where account = $1 and folder = $2 order by name`,
      values: [account, folder],
    });
    return rows.map(withNumbers);
  },

  beginFetch: (account, folder, { name, claimId, sizeBytes, modifiedMs }) =>
    execute(
      pool,
      `insert into fetched_files (account, folder, name, claim_id, size_bytes, modified_ms)
       values ($1, $2, $3, $4, $5, $6)`,
      [account, folder, name, claimId, sizeBytes, modifiedMs],
    ),

  endFetch: (account, folder, { name, claimId }) =>
    execute(
      pool,
      'delete from fetched_files where account = $1 and folder = $2 and name = $3 and claim_id = $4',
      [account, folder, name, claimId],
    ),

  deliversSince: async (account, nowMs) => {
    const { rows } = await pool.query<{ since: string }>({
      name: 'delivers-since',
      text: `insert into file_exchanges as e (account, part, delivers_since_ms) values ($1, 'delivered', $2)
        on conflict (account, part) do update set delivers_since_ms = coalesce(e.delivers_since_ms, excluded.delivers_since_ms)
        returning delivers_since_ms as since`,
      values: [account, nowMs],
    });
    return Number(rows[0]!.since);
  },

  listDelivered: async (account, folder) => {
    const { rows } = await pool.query<Numbers<FileVersion & { path: string }>>({
      name: 'list-delivered-files',
      text: `select path, size_bytes as "sizeBytes", modified_ms as "modifiedMs"
        from delivered_files where account = $1 and starts_with(path, $2 || '/')`,
      values: [account, folder],
    });
    return new Map(rows.map((row) => [row.path, withNumbers(row)]));
  },

  recordDelivered: (account, path, { sizeBytes, modifiedMs }) =>
    execute(
      pool,
      `insert into delivered_files (account, path, size_bytes, modified_ms) values ($1, $2, $3, $4)
       on conflict (account, path) do update set size_bytes = excluded.size_bytes,
         modified_ms = excluded.modified_ms, delivered_at = clock_timestamp()`,
      [account, path, sizeBytes, modifiedMs],
    ),

  forgetDelivered: (account, paths) =>
    execute(pool, 'delete from delivered_files where account = $1 and path = any($2)', [account, paths]),
});
