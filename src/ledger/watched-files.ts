import type pg from 'pg';
import type { OriginalFacts, WatchedFile, WatchRegister } from '../intake/inbox/watch-originals.ts';
import { rowWithoutNulls } from './nulls.ts';
import { changePos, partsOf } from './po/change.ts';
import { execute } from './query.ts';
import { mayHaveOrdered } from './submissions.ts';

/** Starts watching the original file of an import, within the import's transaction. */
export const insertWatchedFile = async (
  client: pg.ClientBase,
  importId: string,
  original: OriginalFacts,
): Promise<void> => {
  const { inode, sizeBytes, mtimeMs, tailSha256 } = original;
  await client.query(
    `insert into watched_files (import_id, inode, size_bytes, mtime_ms, tail_sha256) values ($1, $2, $3, $4, $5)`,
    [importId, inode, sizeBytes, mtimeMs, tailSha256],
  );
};

/** SQL: every place where the file may be. */
const paths = `array_remove(w.path || w.other_paths, null)`;
/** SQL: `paths` without the one that another import has now. */
const otherPaths = `array_remove(${paths}, $2)`;

const columns = `w.import_id as "importId", i.file_name as "fileName", ${paths} as paths, w.inode, w.size_bytes as "sizeBytes",
  w.mtime_ms as "mtimeMs", w.tail_sha256 as "tailSha256", i.sha256, i.file_grew as "grew"`;

const readRow = (row: { sizeBytes: string }): WatchedFile => ({
  ...rowWithoutNulls<WatchedFile>(row),
  sizeBytes: Number(row.sizeBytes),
});

/** How long a file is watched; a file that grew is watched until `endWatch`. */
const watched = `interval '24 hours'`;

/** The register of files that may change after they were picked up. */
export const createWatchRegister = (pool: pg.Pool): WatchRegister => ({
  find: async (importId) => {
    const { rows } = await pool.query({
      name: 'find-watched-file',
      text: `select ${columns} from watched_files w join imports i on i.id = w.import_id where w.import_id = $1`,
      values: [importId],
    });
    return rows[0] && readRow(rows[0]);
  },

  recordPath: async (importId, path) => {
    // The file of an earlier import under this path has been replaced. Earlier paths of this import are kept: of two processes
    // that archive the file at once, the slower one may record its path last, although the other one moves the file.
    await pool.query({
      name: 'record-watched-path',
      text: `
        with others as (
          select w.import_id from watched_files w join imports i on i.id = w.import_id
          where i.account = (select account from imports where id = $1) and w.import_id <> $1 and $2 = any(${paths})
        ), replaced as (
          delete from watched_files w using others o
          where w.import_id = o.import_id and ${otherPaths} = '{}'
        ), moved as (
          update watched_files w set path = (${otherPaths})[1], other_paths = (${otherPaths})[2:]
          from others o where w.import_id = o.import_id and ${otherPaths} <> '{}'
        )
        update watched_files w set path = $2, other_paths = ${otherPaths} where w.import_id = $1`,
      values: [importId, path],
    });
  },

  // A file is due each time its age has doubled, and at least every hour.
  takeDue: async (account) => {
    const { rows } = await pool.query({
      name: 'take-due-watched-files',
      text: `
        with own as (
          select w.import_id from watched_files w join imports i on i.id = w.import_id
          where i.account = $1 and w.path is not null
        ), ended as (
          delete from watched_files w using own, imports i
          where w.import_id = own.import_id and i.id = w.import_id and i.file_grew is null
            and w.picked_up_at < now() - ${watched}
        ), due as (
          update watched_files w set checked_at = clock_timestamp() from own, imports i
          where w.import_id = own.import_id and i.id = w.import_id
            and (i.file_grew is not null or w.picked_up_at >= now() - ${watched})
            and (i.file_grew is not null or clock_timestamp() - w.checked_at
              >= least(w.checked_at - w.picked_up_at, interval '1 hour'))
          returning ${columns}
        )
        select * from due order by "importId"::bigint`,
      values: [account],
    });
    return rows.map(readRow);
  },

  // POs that were or may have been submitted get an alarm; the others are held at their next step. Repeated at each check, because a PO may
  // be submitted concurrently.
  recordGrowth: async (importId, { sentence, alarm }) => {
    const { rows } = await pool.query({
      name: 'record-file-growth',
      text: `
        with known as (select file_grew is not null as known from imports where id = $1), ${partsOf(
          changePos('alarmed', {
            by: 'file grew',
            set: { alarm: '$3' },
            where: `p.import_id = $1 and p.alarm is null
            and (p.state in ('submitting', 'verifying', 'ordered', 'closed')
              or (p.state = 'held' and ${mayHaveOrdered('p')}))`,
            marksImport: true,
          }),
        )}, marked as (
          update imports i set file_grew = coalesce(i.file_grew, $2), result_due = true
          where i.id = $1 and (i.file_grew is null or exists (select from alarmed))
        )
        select known, (select count(*)::int from alarmed) as alarms from known`,
      values: [importId, sentence, alarm],
    });
    return { first: rows[0]?.known === false, alarms: rows[0]?.alarms ?? 0 };
  },

  endWatch: (importId) =>
    execute(pool, {
      name: 'end-watch',
      text: 'delete from watched_files where import_id = $1',
      values: [importId],
    }),
});
