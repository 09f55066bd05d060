import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { CheckedRow, RowIssue, Stage } from '../intake/types.ts';
import { foldedPoKey } from './po-key.ts';

// Intake refuses control characters, so of all values only the number of a rejected PO can contain a unit separator, and
// empty text is never a value. So most rows are their values joined, and one test finds whether anything needs escaping.
const separator = '\x1f';
const copySql = `copy lines (import_id, row_number, po_number, po_key, item_sku, item_id, quantity, note, expected_price, options, filled, po_written)
  from stdin (delimiter '${separator}', null '')`;

const issueSql = `insert into row_issues
    (import_id, row_number, po_number, po_key, severity, column_name, code, message, found, expected, question)
  select $1, * from unnest($2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])`;

const issueBatch = 1000;
const special = /[\\\n\r]/;
const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  [separator]: `\\${separator}`,
};
const escaped = (value: string | number | undefined) =>
  typeof value === 'string' ? value.replace(/[\\\n\r\x1f]/g, (character) => escapes[character]!) : value;

const lastDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/**
 * A row's number as text, assembled from common parts: Node caches the texts of numbers, and a million different ones
 * would fill that cache.
 */
const rowNumberText = (rowNumber: number): string =>
  rowNumber < 1000 ? String(rowNumber) : `${Math.floor(rowNumber / 1000)}${lastDigits[rowNumber % 1000]}`;

/**
 * Copies rows and issues of one import into the ledger, on the connection of the caller's transaction. Rows go through
 * one COPY, which is interrupted only to insert issues, because a connection does one thing at a time. Await `finish`
 * before using the connection for anything else.
 */
export const createRowCopy = (
  client: pg.PoolClient,
  importId: string,
): Stage & {
  finish(): Promise<void>;
  abort(): void;
  /** Whether a PO number has look-alike characters, and whether a constant of the account filled in a value of a line. */
  seen(): { oddNumbers: boolean; filled: boolean };
} => {
  let copy: ReturnType<typeof copyFrom> | undefined;
  let failure: Error | undefined;
  let issues: RowIssue[] = [];
  let lastPo: string | undefined;
  let lastKey: string | undefined;
  let lastPoIsPlain = true;
  let lastOptions: string | undefined;
  let oddNumbers = false;
  let filled = false;

  /** A row in COPY's text format. Options equal to those of the PO's row above are omitted: most of a large file. */
  const rowText = (row: CheckedRow): string => {
    const { poNumber, options } = row;
    if (row.poWritten !== undefined) oddNumbers = true;
    if (row.filled !== undefined) filled = true;
    const samePo = poNumber === lastPo;
    if (!samePo) {
      lastPo = poNumber;
      lastPoIsPlain = !poNumber?.includes(separator);
      lastKey = poNumber === undefined ? undefined : foldedPoKey(poNumber);
    }
    const repeated = samePo && options === lastOptions;
    if (!repeated) lastOptions = options;
    const values = [
      importId,
      rowNumberText(row.rowNumber),
      poNumber,
      lastKey,
      row.itemSku,
      row.itemId,
      row.quantity,
      row.note,
      row.expectedPrice,
      repeated ? '{}' : options,
      row.filled,
      row.poWritten,
    ];
    const text = values.join(separator);
    return lastPoIsPlain && !special.test(text) ? text : values.map(escaped).join(separator);
  };

  const begin = () => {
    copy = client.query(copyFrom(copySql));
    // Without a listener a lost connection would end the process; the pending write or end reports the error.
    copy.on('error', (error) => {
      failure = error;
    });
    return copy;
  };
  // After a lost connection the write callback is never called; the stream's error rejects the pending write instead.
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
      list.map((issue) => (issue.poNumber === undefined ? null : (foldedPoKey(issue.poNumber) ?? null))),
      list.map((issue) => issue.severity),
      list.map((issue) => issue.column),
      list.map((issue) => issue.code),
      list.map((issue) => issue.message),
      list.map((issue) => issue.found ?? null),
      list.map((issue) => issue.expected ?? null),
      list.map((issue) => issue.question ?? null),
    ]);
  };

  return {
    add: async (rows, more) => {
      if (rows.length > 0) {
        let text = '';
        for (const row of rows) text += `${rowText(row)}\n`;
        await write(text);
      }
      for (const issue of more) issues.push(issue);
      if (issues.length >= issueBatch) await flushIssues();
    },
    seen: () => ({ oddNumbers, filled }),
    finish: async () => {
      await flushIssues();
      await endCopy();
    },
    abort: () => {
      copy?.destroy(new Error('The import was aborted.'));
    },
  };
};
