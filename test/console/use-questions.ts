import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ShownQuestion } from '../../src/console/api/schemas/layouts.ts';
import { useUploads } from './use-uploads.ts';

/** Each kind of file has a header of its own, so that the tests do not meet. */
let kinds = 0;
export const newKind = (columns = 'Status') => {
  kinds += 1;
  const header = `PO Number,SKU,Qty,Kind ${kinds},${columns}`;
  return (...lines: string[]) => `${header}\n${lines.map((line) => `${line}\n`).join('')}`;
};

/** A console whose drop folders tests put files into, and the questions that these lead to. */
export const useQuestions = () => {
  const desk = useUploads();
  const { done, read } = desk;
  const drop = async (name: string, content: string, account = 'north') => {
    const path = join(desk.rootOf(account), `dropped ${name}`);
    await writeFile(path, content);
    const { importId } = await desk.open(account).claims.claimCopy(path, { fileName: name });
    return { importId, pos: await read(importId) };
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

  return { ...desk, drop, statesOf, questionsOf, answer };
};
