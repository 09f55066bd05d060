import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CheckedRow, RowIssue, Stage } from '../intake/types.ts';

const copySql = `copy lines (import_id, row_number, po_number, po_key, item_sku, item_id, quantity, note, expected_price, options)
  from stdin`;

const issueSql = `insert into row_issues
    (import_id, row_number, po_number, severity, column_name, code, message, found, expected)
  select $1, * from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])`;

const issueBatch = 1000;
const special = /[\\\t\n\r]/;
const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** A value in COPY's text format. */
const copyText = (value: string | number | undefined): string => {
  if (value === undefined) return '\\N';
  if (typeof value === 'number') return String(value);
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character]!) : value;
};

/** See `po_key` in the schema. */
const keyOf = (poNumber: string): string | undefined =>
  /^[\x00-\x7f]*$/.test(poNumber) ? undefined : poNumber.normalize('NFKC').toLowerCase();

/**
 * Copies rows and issues of one import into the ledger, over one connection within the caller's transaction. Rows go
 * through one COPY that is interrupted only to insert issues: a connection does one thing at a time.
 * `finish` must be awaited before the connection is used for anything else.
 */
export const createRowCopy = (
  client: pg.PoolClient,
  importId: string,
): Stage & { finish(): Promise<void>; abort(): void } => {
  let copy: ReturnType<typeof copyFrom> | undefined;
  let failure: Error | undefined;
  let issues: RowIssue[] = [];
  let lastPo: string | undefined;
  let lastPoText = '\\N\t\\N';
  let lastOptions: string | undefined;

  /** PO and options as text. Where a PO's row repeats the options of its row above they are left out: most of a large file. */
  const shared = ({ poNumber, options }: CheckedRow): { po: string; options: string } => {
    const samePo = poNumber === lastPo;
    if (!samePo) {
      lastPo = poNumber;
      lastPoText = `${copyText(poNumber)}\t${copyText(poNumber === undefined ? undefined : keyOf(poNumber))}`;
    }
    if (samePo && options === lastOptions) return { po: lastPoText, options: '{}' };
    lastOptions = options;
    return { po: lastPoText, options: copyText(options) };
  };
  const rowText = (row: CheckedRow) => {
    const { po, options } = shared(row);
    return `${importId}\t${row.rowNumber}\t${po}\t${copyText(row.itemSku)}\t${copyText(row.itemId)}\t${copyText(row.quantity)}\t${copyText(row.note)}\t${copyText(row.expectedPrice)}\t${options}\n`;
  };

  const begin = () => {
    copy = client.query(copyFrom(copySql));
    // Without a listener a lost connection would end the process; the waiting write or end reports it.
    copy.on('error', (error) => {
      failure = error;
    });
    return copy;
  };
  // A connection that is lost calls nobody back: what was being written then fails by the stream's error.
  const write = (text: string) =>
    new Promise<void>((resolve, reject) => {
      if (failure) return reject(failure);
      const stream = copy ?? begin();
      stream.once('error', reject);
      stream.write(text, (error) => {
        stream.off('error', reject);
        if (error) reject(error);
        else resolve();
      });
    });
  const endCopy = async () => {
    const open = copy;
    copy = undefined;
    if (failure) throw failure;
    if (!open) return;
    await new Promise<void>((resolve, reject) => {
      open.once('error', reject);
      open.once('finish', resolve);
      open.end();
    });
  };
  const flushIssues = async () => {
    if (issues.length === 0) return;
    await endCopy();
    const list = issues;
    issues = [];
    await client.query(issueSql, [
      importId,
      list.map((issue) => issue.rowNumber),
      list.map((issue) => issue.poNumber ?? null),
      list.map((issue) => issue.severity),
      list.map((issue) => issue.column),
      list.map((issue) => issue.code),
      list.map((issue) => issue.message),
      list.map((issue) => issue.found ?? null),
      list.map((issue) => issue.expected ?? null),
    ]);
  };

  return {
    add: async (rows, more) => {
      if (rows.length > 0) {
        let text = '';
        for (const row of rows) text += rowText(row);
        await write(text);
      }
      for (const issue of more) issues.push(issue);
      if (issues.length >= issueBatch) await flushIssues();
    },
    finish: async () => {
      await flushIssues();
      await endCopy();
    },
    abort: () => {
      copy?.destroy(new Error('the import was given up'));
    },
  };
};
