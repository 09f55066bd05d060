import type pg from 'pg';
import type { FilesAnswer } from '../../api-contract/search.ts';
import type { ImportState } from '../../intake/inbox/import-register.ts';
import { rowsOf } from '../query.ts';
import { posContaining } from './po-numbers.ts';
import { iso, isPart } from './sql-parts.ts';

/** An import whose file can be opened. */
export interface KeptFile {
  importId: string;
  account: string;
  fileName: string;
  /** The private copy, relative to the account’s folder. */
  filePath: string;
  state: ImportState;
  reasonText: string | null;
  takenAt: string;
}

/** Files with a private copy: first those that produced no POs, then the latest. The content of a repeated file is that of the first one. */
export const listKeptFiles = (
  pool: pg.Pool,
  accounts: readonly string[],
  limit: number,
): Promise<KeptFile[]> =>
  rowsOf(pool, {
    name: 'kept-files',
    text: `
        select i.id::text as "importId", i.account, i.file_name as "fileName", i.file_path as "filePath", i.state,
          i.reason_text as "reasonText", ${iso('i.taken_at')} as "takenAt"
        from (
          (select * from imports i where i.account = any($1) and i.state in ('taken', 'waiting', 'refused') order by i.id desc limit $2)
          union all
          (select * from imports i where i.account = any($1) and i.state = 'read' order by i.id desc limit $2)) i
        where i.copy_pruned_at is null order by i.state = 'read', i.id desc limit $2`,
    values: [accounts, limit],
  });

type SimilarPo = FilesAnswer['similar'][number];

/** Removes what people omit or write differently: case, punctuation, a prefix such as PO, leading zeros. */
const core = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/^\p{L}+/u, '')
    .replace(/^0+/, '');

const candidates = 200;
const mostSimilar = 5;

/** POs whose numbers differ only in what `core` removes, such as `4711` and `PO-04711`. */
export const listSimilarPos = async (
  pool: pg.Pool,
  accounts: readonly string[],
  poNumber: string,
): Promise<SimilarPo[]> => {
  const wanted = core(poNumber);
  if (!isPart(wanted)) return [];
  const { rows } = await pool.query<SimilarPo>({
    name: 'similar-pos',
    text: `
      select distinct on (p.account, p.po_number) p.account, p.po_number as "poNumber", p.state
      from unnest($1::text[]) a(account) cross join lateral (${posContaining('a.account', '$2::text')} limit ${candidates}) f
      join purchase_orders p on p.id = f.id order by p.account, p.po_number, p.id desc`,
    values: [accounts, wanted],
  });
  return rows
    .filter((one) => one.poNumber !== poNumber && core(one.poNumber) === wanted)
    .slice(0, mostSimilar);
};
