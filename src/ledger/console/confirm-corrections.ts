import type pg from 'pg';
import type { CorrectedRows } from '../../intake/file-reading.ts';
import { noteChange } from '../changes.ts';
import { inTransaction } from '../transaction.ts';
import { type Actor, activityCode } from './activity.ts';
import type { ChangedRow } from './corrections.ts';
import { type Client, type Upload, uploadColumns } from './uploads.ts';

/** A PO whose rows are all among the corrected ones. */
export interface CorrectedPo {
  id: string;
  /** Its number in the corrected rows. */
  poNumber: string;
}

export interface NewCorrection extends CorrectedRows {
  /** The file of the corrected rows, already written completely. */
  upload: Pick<Upload, 'id' | 'account' | 'fileName' | 'sha256' | 'sizeBytes' | 'path' | 'quoteOnly'> & {
    copyPath: string;
  };
  /** The import that is corrected. */
  importId: string;
  purchaseOrders: readonly CorrectedPo[];
  changes: readonly ChangedRow[];
  note: string | undefined;
}

export type CorrectionConfirmed =
  | { kind: 'confirmed'; upload: Upload }
  /** Another person corrected one of the POs meanwhile, or it ended. */
  | { kind: 'conflict'; poNumber: string; by: { who: string; importId: string | null } | undefined };

// Locked, so that of two persons who correct the same PO the second is refused.
const lockSql = `
  select p.id::text, p.po_number as "poNumber", p.state in ('rejected', 'failed') and p.reason_code is distinct from 'corrected' as open
  from purchase_orders p where p.id = any($1::bigint[]) order by p.id for update`;

// A correction whose file could not be read corrects nothing.
const earlierSql = `
  select k.purchase_order_id::text as id, u.confirmed_by as who, u.import_id::text as "importId"
  from corrected_purchase_orders k join uploads u on u.id = k.upload_id left join imports n on n.id = u.import_id
  where k.purchase_order_id = any($1::bigint[]) and (n.state is null or n.state not in ('refused', 'repeated'))
  order by u.confirmed_at desc`;

const findConflict = async (
  client: Client,
  ids: readonly string[],
): Promise<Extract<CorrectionConfirmed, { kind: 'conflict' }> | undefined> => {
  const locked = await client.query<{ id: string; poNumber: string; open: boolean }>(lockSql, [ids]);
  const earlier = await client.query<{ id: string; who: string; importId: string | null }>(earlierSql, [ids]);
  for (const { id, poNumber, open } of locked.rows) {
    const by = earlier.rows.find((one) => one.id === id);
    if (!open || by) return { kind: 'conflict', poNumber, by };
  }
  return undefined;
};

const insertUpload = async (
  client: Client,
  { upload, note }: NewCorrection,
  { who, via }: Actor,
): Promise<Upload> => {
  const { id, account, fileName, sha256, sizeBytes, path, quoteOnly, copyPath } = upload;
  const { rows } = await client.query<Upload>(
    `insert into uploads (id, account, file_name, sha256, size_bytes, path, who, quote_only, state, copy_path, note,
       confirmed_by, confirmed_via, confirmed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'confirmed', $9, $10, $7, $11, clock_timestamp()) returning ${uploadColumns}`,
    [id, account, fileName, sha256, sizeBytes, path, who, quoteOnly, copyPath, note ?? null, via],
  );
  return rows[0]!;
};

const recordSql = `
  insert into operator_actions (who, via, action, account, import_id, purchase_order_id, note, detail)
  select $1, $2, ${activityCode('corrected')}, $3, $4, p.id, $5, jsonb_build_object('fileName', $6::text, 'cells', $7::int)
  from unnest($8::bigint[]) p(id)`;

/**
 * Commits corrected rows to becoming an import, even if this process stops now, and records the changes in the same transaction. Of two
 * persons who correct the same PO, one succeeds.
 */
export const confirmCorrection = async (
  pool: pg.Pool,
  correction: NewCorrection,
  by: Actor,
): Promise<CorrectionConfirmed> => {
  const { upload, importId, purchaseOrders, changes, settings, headerKey, note } = correction;
  const ids = purchaseOrders.map(({ id }) => id);
  const confirmed = await inTransaction(pool, {}, async (client): Promise<CorrectionConfirmed> => {
    const conflict = await findConflict(client, ids);
    if (conflict) return conflict;
    const added = await insertUpload(client, correction, by);
    await client.query(
      `insert into corrections (upload_id, import_id, header_key, settings, changes) values ($1, $2, $3, $4, $5)`,
      [upload.id, importId, headerKey, JSON.stringify(settings), JSON.stringify(changes)],
    );
    await client.query(
      `insert into corrected_purchase_orders (upload_id, purchase_order_id, po_number)
       select $1, * from unnest($2::bigint[], $3::text[])`,
      [upload.id, ids, purchaseOrders.map(({ poNumber }) => poNumber)],
    );
    const cells = changes.reduce((sum, one) => sum + one.cells.length, 0);
    await client.query(recordSql, [
      ...[by.who, by.via, upload.account, importId, note ?? null, upload.fileName, cells, ids],
    ]);
    return { kind: 'confirmed', upload: added };
  });
  if (confirmed.kind === 'confirmed')
    noteChange(pool, { topics: ['purchase-orders', 'imports', 'activity'], importId });
  return confirmed;
};
