import { beforeEach, expect } from 'vitest';
import type {
  CorrectedRow,
  CorrectionAnswer,
  CorrectionCheck,
  CorrectionConfirmed,
} from '../../src/api-contract/corrections.ts';
import { useUploads } from './use-uploads.ts';

export const header = 'PO Number,SKU,Qty,Ship Name,Ship City,Ship Via';

/** A console in which rejected and failed POs are corrected. */
export const useCorrections = () => {
  const desk = useUploads();
  const { use, upload, call, done, confirm, read } = desk;

  let night = 0;
  /** Prefix of this test's POs. */
  let po: string;
  beforeEach(() => {
    night += 1;
    po = `N${night}-`;
  });

  /** Uploads a file and reads it like a worker. */
  const take = async (name: string, content: string | Buffer, account = 'north'): Promise<string> => {
    const { upload: draft } = await upload(name, content, account);
    const { importId } = (await confirm(draft.id)).upload;
    await read(importId);
    return importId!;
  };
  const badFile = () =>
    [
      header,
      `${po}1,A-1,5,Bo,Boston,`,
      `${po}2,A-1,many,Cy,Salem,`,
      `${po}2,A-2,2,Cy,Salem,`,
      `${po}3,A-1,1,Di,Lynn,FAST`,
      '',
    ].join('\n');

  const open = (importId: string, ids?: string[]) =>
    done<CorrectionAnswer>(
      'GET',
      `/imports/${importId}/correction${ids ? `?purchaseOrders=${ids.join(',')}` : ''}`,
    );
  /** The rows of an opened correction with some cells changed: `{ 'Qty 3': '5' }` for the column and the row. */
  const corrected = ({ columns, rows }: CorrectionAnswer, cells: Record<string, string>): CorrectedRow[] =>
    rows.map(({ rowNumber, cells: own }) => ({
      rowNumber,
      cells: own.map((text, at) => cells[`${columns[at]!.header} ${rowNumber}`] ?? text),
    }));
  const requestOf = (
    { purchaseOrders, columns }: CorrectionAnswer,
    rows: CorrectedRow[],
    added: string[] = [],
  ) => ({
    purchaseOrders: purchaseOrders.map(({ id }) => id),
    headers: [...columns.map(({ header: name }) => name), ...added],
    rows,
  });
  const check = async (opened: CorrectionAnswer, rows: CorrectedRow[], added: string[] = []) => {
    const answer = await done<CorrectionCheck>(
      'POST',
      `/imports/${opened.importId}/correction/check`,
      requestOf(opened, rows, added),
    );
    if (answer.kind === 'refused') throw new Error(answer.message);
    return answer;
  };
  const order = (
    opened: CorrectionAnswer,
    rows: CorrectedRow[],
    expectedPos: number,
    more: object = {},
    added: string[] = [],
  ) =>
    call('POST', `/imports/${opened.importId}/correction`, {
      ...requestOf(opened, rows, added),
      expectedPos,
      ...more,
    });
  const ordered = async (...args: Parameters<typeof order>): Promise<CorrectionConfirmed> => {
    const response = await order(...args);
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  };
  const posOf = async (importId: string) => {
    const { rows } = await use.deps.pool.query<{ id: string; text: string }>(
      `select id::text, concat_ws(' ', po_number, state, reason_code) as text from purchase_orders where import_id = $1 order by first_row`,
      [importId],
    );
    return rows;
  };
  const statesOf = async (importId: string) => (await posOf(importId)).map(({ text }) => text);
  const fail = (importId: string, poNumber: string, refusal?: string) =>
    use.deps.pool.query(
      `with line as (update lines set refusal = $3 where import_id = $1 and po_number = $2)
       update purchase_orders set state = 'failed', reason_code = 'refused_by_service', reason_text = 'The service refused it: no such item.'
       where import_id = $1 and po_number = $2`,
      [importId, poNumber, refusal ?? null],
    );

  return {
    ...desk,
    /** Prefix of this test's PO numbers. */
    po: () => po,
    take,
    badFile,
    open,
    corrected,
    requestOf,
    check,
    order,
    ordered,
    posOf,
    statesOf,
    fail,
  };
};
