import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShownQuestion } from '../../src/api-contract/layouts.ts';
import type { UploadAnswer } from '../../src/api-contract/uploads.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { useUploads } from './use-uploads.ts';

/** Counts kinds of files; each has its own header, so that tests do not affect each other. */
let kinds = 0;
export const newKind = (columns = 'Status') => {
  kinds += 1;
  const header = `PO Number,SKU,Qty,Kind ${kinds},${columns}`;
  return (...lines: string[]) => `${header}\n${lines.map((line) => `${line}\n`).join('')}`;
};

/** A console with drop folders for tests, and the questions that files raise. */
export const useQuestions = () => {
  const desk = useUploads();
  const { done, read } = desk;
  /** Drops a file that nobody has looked at. */
  const dropUnseen = async (name: string, content: string, account = 'north') => {
    const path = join(desk.rootOf(account), `dropped ${name}`);
    await writeFile(path, content);
    const { importId } = await desk.open(account).claims.claimCopy(path, { fileName: name });
    return { importId, pos: await read(importId) };
  };
  /** Why an import waits; null if it does not. */
  const whyItWaits = async (importId: string): Promise<string | null> => {
    const { rows } = await desk.use.deps.pool.query(
      `select case when state = 'waiting' then reason_text end as why from imports where id = $1`,
      [importId],
    );
    return rows[0].why;
  };
  /** A person looks at a waiting file and agrees to it. */
  const agree = async (importId: string, body: object = {}) => {
    const { upload } = await done<UploadAnswer>('POST', `/imports/${importId}/reread`);
    await desk.confirm(upload.id, { as: 'order', ...body });
    return read(importId);
  };
  /** Drops a file; agrees at once to the first file of a header. */
  const drop = async (name: string, content: string, account = 'north') => {
    const dropped = await dropUnseen(name, content, account);
    const why = await whyItWaits(dropped.importId);
    return why?.includes('Nobody has said yet')
      ? { ...dropped, pos: await agree(dropped.importId) }
      : dropped;
  };

  const statesOf = async (importId: string) => {
    const { rows } = await desk.use.deps.pool.query(
      'select po_number, state, reason_code, line_count from purchase_orders where import_id = $1 order by first_row',
      [importId],
    );
    return rows.map((row) =>
      [row.po_number, row.state, row.reason_code, `${row.line_count} lines`].filter(Boolean).join(' '),
    );
  };

  const questionsOf = async (importId: string): Promise<ShownQuestion[]> => {
    const { items } = await done<{ items: ShownQuestion[] }>('GET', '/questions?account=north');
    return items.filter((one) => one.importId === importId);
  };
  const answer = (id: string, body: object) =>
    done<{ sentence: string }>('POST', `/questions/${id}/answer`, body);

  /** A person releases all POs of an import. */
  const release = async (importId: string) => {
    const { pool } = desk.use.deps;
    const targets = await findActionTargets(pool, 'release', { importId });
    await applyOperatorAction(pool, 'release', targets, { who: 'Olga' });
  };

  return { ...desk, drop, dropUnseen, whyItWaits, agree, statesOf, questionsOf, answer, release };
};
