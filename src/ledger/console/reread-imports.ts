import type pg from 'pg';
import { changePos, withParts } from '../po/change.ts';
import { firstRow } from '../query.ts';
import { nothingSent } from '../submissions.ts';
import { type Actor, recordActivity } from './activity.ts';
import type { Client, Upload } from './uploads.ts';

/** Whether the file of an import can be read again with another mapping. */
export type Rereadable =
  | {
      kind: 'yes';
      account: string;
      fileName: string;
      /** The private copy, relative to the account's folder. */
      filePath: string;
      quoteOnly: boolean;
      sha256: string;
      sizeBytes: number;
    }
  | { kind: 'unknown' }
  /** `why`: a sentence. */
  | { kind: 'no'; why: string };

const rereadSql = (lock: string) => `
  select i.account, i.file_name as "fileName", i.file_path as "filePath", i.state, i.quote_only as "quoteOnly",
    i.sha256, i.size_bytes::float8 as "sizeBytes", i.repeats_import_id::text as "repeats", i.read_at as "readAt",
    (select u.import_id::text from uploads u where u.reread_of = i.id and u.state = 'confirmed') as "againAs",
    exists (select from uploads u where u.reread_of = i.id and u.state = 'confirmed') as again
  from imports i where i.id = $1 and ($2::text[] is null or i.account = any($2)) ${lock}`;

// A pending cancellation or hold would be lost with the PO.
const sentSql = `
  select count(*) filter (where p.state not in ('ready', 'held', 'rejected', 'cancelled') or not ${nothingSent('p')})::int as sent,
    count(*) filter (where p.state in ('ready', 'held') and (p.cancelling or p.holding))::int as wished
  from purchase_orders p where p.import_id = $1`;

const whyNotReread = async (
  client: Client,
  importId: string,
  found: { state: string; repeats: string | null; againAs: string | null; again: boolean },
): Promise<string | undefined> => {
  if (found.again)
    return `This file was read again already${found.againAs === null ? '' : `, as import ${found.againAs}`}.`;
  if (found.state === 'taken') return 'This file is being read. Wait until it is read, then try again.';
  if (found.state === 'repeated')
    return `This file is identical to import ${found.repeats ?? 'before it'}, which answers for it. Read that one again.`;
  if (found.state === 'refused' || found.state === 'waiting') return undefined;
  const { sent, wished } = (await firstRow<{ sent: number; wished: number }>(client, sentSql, [importId]))!;
  if (sent === 0 && wished > 0)
    return `${wished} of its POs ${wished === 1 ? 'is' : 'are'} about to be cancelled or held. Do that first: resume the account if it is paused, or cancel or hold ${wished === 1 ? 'it' : 'them'} again. Then try again.`;
  return sent === 0
    ? undefined
    : `${sent} of its POs ${sent === 1 ? 'is' : 'are'} already sent to the service, so the file cannot be read in another way. Send what is missing in a new file.`;
};

/** @param accounts those that the person may act for; null: all */
export const findRereadable = async (
  pool: pg.Pool,
  importId: string,
  accounts: readonly string[] | null,
): Promise<Rereadable> => {
  const { rows } = await pool.query(rereadSql(''), [importId, accounts]);
  const [found] = rows;
  if (!found) return { kind: 'unknown' };
  const why = await whyNotReread(pool, importId, found);
  if (why !== undefined) return { kind: 'no', why };
  const { account, fileName, filePath, quoteOnly, sha256, sizeBytes } = found;
  return { kind: 'yes', account, fileName, filePath, quoteOnly, sha256, sizeBytes };
};

/** SQL: the PO needs a person's decision, whatever the re-read of its file yields. */
const keptForPerson = (po: string): string =>
  `(${po}.state = 'held' and ${po}.reason_code in ('on_hold', 'restored_file'))`;

// Like a cancellation by a person: the new run number keeps a worker that has already read the PO from acting on it.
const withdrawSql = `${withParts(
  changePos('withdrawn', {
    by: 'read again',
    set: {
      state: `'cancelled'`,
      holding: keptForPerson('p'),
      reason_code: `'read_again'`,
      reason_text: `'Replaced by a later import: a person had the file read with another mapping. Nothing was sent for this PO. If the file still asks for it, the later import has it.'`,
    },
    newRun: true,
    where: `p.import_id = $1 and p.state in ('ready', 'held')`,
    takesAway: 'at_once',
    marksImport: true,
  }),
)} select from withdrawn`;

/** Withdraws the POs of an import. The caller has checked that nothing was sent for them, or rolls back. */
export const withdrawUnsent = async (client: Client, importId: string): Promise<number> =>
  (await client.query(withdrawSql, [importId])).rowCount ?? 0;

/** Withdraws the POs of an import that is read again. They are locked, so that no worker takes one meanwhile. */
export const withdrawForReread = async (
  client: Client,
  upload: Upload,
  by: Actor,
  note: string | undefined,
) => {
  const importId = upload.rereadOf!;
  const { rows } = await client.query(rereadSql('for update of i'), [importId, null]);
  if (!rows[0]) return 'The import that was to be read again is no longer in the ledger.';
  if (rows[0].readAt > upload.uploadedAt)
    return `Nothing is changed: the file was read after you opened it, because somebody else has said what it means. See import ${importId}. If it is wrong there, have it read again from there.`;
  await client.query('select from purchase_orders where import_id = $1 order by id for update', [importId]);
  const why = await whyNotReread(client, importId, rows[0]);
  if (why !== undefined) return why;
  const withdrawn = await withdrawUnsent(client, importId);
  await client.query('update imports set result_due = true where id = $1', [importId]);
  const detail = { fileName: upload.fileName, withdrawn };
  await recordActivity(client, 'read_again', by, detail, { account: upload.account, importId, note });
  return undefined;
};
