import type pg from 'pg';
import { isOpenFile } from './import-counts.ts';
import { execute } from './query.ts';

// Its name says nothing: many dealers send another order each night under the same one. What is still wrong in the later file is an entry of
// that one.
const cameAgainSql = `
  update imports i set settled_at = clock_timestamp()
  from imports again
  where again.id = $1 and i.account = $2 and i.id < again.id and i.state = 'read' and i.taken_at > now() - interval '7 days'
    and ${isOpenFile('i')} and again.row_count >= i.row_count
    and exists (select from lines s where s.import_id = i.id)
    and not exists (
      select from lines s where s.import_id = i.id and s.po_number is not null and not exists (
        select from lines l where l.import_id = again.id and l.po_number = s.po_number))`;

/**
 * Settles the rows of earlier files that belong to no PO, where this import is such a file again: it has all its PO numbers, and at least as
 * many rows. In the transaction that has read it.
 */
export const settleRowsThatCameAgain = (
  client: pg.PoolClient,
  importId: string,
  account: string,
): Promise<void> => execute(client, cameAgainSql, [importId, account]);
