import type pg from 'pg';
import { isOpenFile } from './import-counts.ts';
import { execute } from './query.ts';

// The file name does not show it, because many dealers send a different order each night under the same name. Nor do PO numbers alone,
// because a file that grows each night repeats them. Rows still wrong in the later file are its own entry.
const cameAgainSql = `
  update imports i set settled_at = clock_timestamp()
  from imports again
  where again.id = $1 and i.account = $2 and i.id < again.id and i.state = 'read' and i.taken_at > now() - interval '7 days'
    and ${isOpenFile('i')}
    and not exists (
      select from lines s where s.import_id = i.id and s.po_number is not null and not exists (
        select from lines l where l.import_id = again.id and l.po_number = s.po_number))
    and not exists (
      select from row_issues r where r.import_id = i.id and r.severity = 'issue' and r.po_number is null
        and not exists (select from lines s where s.import_id = i.id and s.row_number = r.row_number))
    and not exists (
      select from lines l where l.import_id in (i.id, again.id) and (l.hash_0, l.hash_1) in (
        select s.hash_0, s.hash_1 from lines s where s.import_id = i.id and s.po_number is null)
      group by l.hash_0, l.hash_1
      having count(*) filter (where l.import_id = i.id) > count(*) filter (where l.import_id = again.id))`;

/**
 * Settles rows without a PO of earlier files that this import repeats: it has all their PO numbers and each of these rows, with or without
 * a number. Runs in the transaction that has read the import.
 */
export const settleRowsThatCameAgain = (
  client: pg.PoolClient,
  importId: string,
  account: string,
): Promise<void> => execute(client, cameAgainSql, [importId, account]);
