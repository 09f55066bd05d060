import type pg from 'pg';
import type { StoredReading } from '../../intake/file-reading.ts';
import type { UnreadImport } from '../../intake/inbox/import-register.ts';
import type { DecidedValue } from '../../intake/layouts/known-values.ts';
import type { SeenColumn } from '../../intake/layouts/seen-column.ts';
import { noteChange } from '../changes.ts';
import { rememberValues } from '../known-layouts.ts';
import { AgreedMeanwhile, agreeLayout, type NewLayout } from '../layouts.ts';
import { execute, firstRow } from '../query.ts';
import { inTransaction } from '../transaction.ts';
import { findWaiting, readWaiting } from '../waiting-imports.ts';
import { type Actor, activityCode } from './activity.ts';
import { withdrawForReread } from './reread-imports.ts';
import { type Client, type Upload, uploadColumns } from './uploads.ts';

export type Confirmed =
  /** `imports`: the files that waited for the layout, without a job yet; `alike`: how many of them are other files with this header. */
  | { kind: 'confirmed'; upload: Upload; imports: UnreadImport[]; alike: number }
  /** It had already been confirmed or discarded. */
  | { kind: 'decided'; upload: Upload }
  | { kind: 'not_possible'; why: string };

/**
 * Commits a draft to becoming an import, even if this process stops now. Of two persons, one succeeds. For a re-read file, the POs of its
 * first reading are withdrawn in the same transaction; a waiting file is read itself.
 *
 * @param decision.layout the layout of all files with this header from now on; undefined: unchanged
 */
export const confirmUpload = async (
  pool: pg.Pool,
  id: string,
  decision: {
    copyPath: string;
    quoteOnly: boolean;
    note: string | undefined;
    layout?: NewLayout | undefined;
    /** The values of the file's ignored columns, and the person's decisions about them. */
    seen: readonly SeenColumn[];
    values: readonly DecidedValue[];
  },
  by: Actor,
): Promise<Confirmed> => {
  const { copyPath, quoteOnly, note, layout, seen, values } = decision;
  const result = await inTransaction(pool, {}, async (client): Promise<Confirmed> => {
    const { rows } = await client.query<Upload>(
      `select ${uploadColumns} from uploads where id = $1 for update`,
      [id],
    );
    const upload = rows[0]!;
    if (upload.state !== 'draft') return { kind: 'decided', upload };
    const waiting = upload.rereadOf === null ? undefined : await findWaiting(client, upload.rereadOf, null);
    if (upload.rereadOf !== null && !waiting) {
      const why = await withdrawForReread(client, upload, by, note);
      if (why !== undefined) return { kind: 'not_possible', why };
    }
    const confirmed = await client.query<Upload>(
      `update uploads set state = 'confirmed', copy_path = $2, quote_only = $3, note = $4, confirmed_by = $5,
         confirmed_via = $6, confirmed_at = clock_timestamp(), import_id = case when $7 then reread_of end,
         reread_of = case when not $7 then reread_of end
       where id = $1 returning ${uploadColumns}`,
      [id, waiting?.filePath ?? copyPath, quoteOnly, note ?? null, by.who, by.via, waiting !== undefined],
    );
    if (waiting && quoteOnly)
      await client.query(`update imports set quote_only = true where id = $1 and state = 'waiting'`, [
        upload.rereadOf,
      ]);
    const about = {
      note,
      openedAt: upload.uploadedAt,
      ...(upload.rereadOf === null ? {} : { importId: upload.rereadOf }),
    };
    // Before other files with this header are read, so that their new values raise questions.
    if (layout) await rememberValues(client, layout, seen, { values, note, ...by });
    const imports = layout
      ? (await agreeLayout(client, layout, about)).imports
      : waiting
        ? await readWaiting(client, [upload.account], { importId: upload.rereadOf! })
        : [];
    const keys = [waiting?.waitingKey, layout?.headerKey];
    const alike = imports.filter(({ id, waitingKey }) => id !== upload.rereadOf && keys.includes(waitingKey));
    return { kind: 'confirmed', upload: confirmed.rows[0]!, imports, alike: alike.length };
  }).catch((thrown: unknown): Confirmed => {
    if (thrown instanceof AgreedMeanwhile) return { kind: 'not_possible', why: thrown.message };
    throw thrown;
  });
  const importId = result.kind === 'confirmed' ? (result.upload.rereadOf ?? result.upload.importId) : null;
  if (importId !== null) noteChange(pool, { topics: ['purchase-orders', 'imports', 'activity'], importId });
  return result;
};

/**
 * Links a new import to its upload, if it has one, and records who uploaded it. Runs in the transaction that registers the import, so that
 * the mapping exists before the file is read.
 */
export const linkUpload = (
  client: Client,
  { importId, account, copyPath }: { importId: string; account: string; copyPath: string },
): Promise<void> =>
  execute(client, {
    name: 'link-upload',
    text: `
      with linked as (
        update uploads set import_id = $1
        where account = $2 and copy_path = $3 and state = 'confirmed' and import_id is null returning *
      )
      insert into operator_actions (who, via, action, account, import_id, note, detail)
      select confirmed_by, confirmed_via, case when c.upload_id is null then ${activityCode('uploaded')} else ${activityCode('corrected_rows')} end, l.account, $1, l.note,
        jsonb_strip_nulls(jsonb_build_object('fileName', l.file_name, 'quote', nullif(l.quote_only, false), 'readAgain', l.reread_of,
          'corrects', c.import_id))
      from linked l left join corrections c on c.upload_id = l.id`,
    values: [importId, account, copyPath],
  });

/** The mapping that a person chose for an import's file; undefined: the account's settings. */
export const readingOfImport = (pool: pg.Pool, importId: string): Promise<StoredReading | undefined> =>
  firstRow(pool, {
    name: 'reading-of-import',
    text: `select u.mapping, case when c.upload_id is not null
        then json_build_object('settings', c.settings, 'headerKey', c.header_key) end as correction
      from uploads u left join corrections c on c.upload_id = u.id
      where u.import_id = $1 and (u.mapping is not null or c.upload_id is not null)`,
    values: [importId],
  });
