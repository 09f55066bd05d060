import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CodeLists, specCodeLists } from '../../../src/contract/carts.ts';
import type { Refused } from '../../../src/errors.ts';
import { type ImportOutcome, importPurchaseFile } from '../../../src/intake/import-purchase-file.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { CheckedRow, RowIssue } from '../../../src/intake/types.ts';

export interface Imported {
  outcome: ImportOutcome;
  rows: CheckedRow[];
  issues: RowIssue[];
  /** The issues, without notes. */
  refusals: RowIssue[];
  /** Rows by PO number, in the file's order. */
  byPo: Record<string, CheckedRow[]>;
}

type OptionInput = Parameters<typeof intakeOptionsSchema.parse>[0];

/** Imports a file in memory, for tests without a database. */
export const importFile = async (
  file: string,
  options: OptionInput = {},
  more: { fileName?: string; codeLists?: CodeLists; signal?: AbortSignal; waitsForNews?: boolean } = {},
): Promise<Imported> => {
  const rows: CheckedRow[] = [];
  const issues: RowIssue[] = [];
  const outcome = await importPurchaseFile({
    path: file,
    fileName: more.fileName ?? path.basename(file),
    options: intakeOptionsSchema.parse(options),
    codeLists: more.codeLists ?? specCodeLists,
    waitsForNews: more.waitsForNews ?? false,
    ...(more.signal ? { signal: more.signal } : {}),
    stage: {
      add: async (newRows, newIssues) => {
        rows.push(...newRows);
        issues.push(...newIssues);
      },
    },
  });
  const byPo: Record<string, CheckedRow[]> = Object.create(null);
  for (const row of rows) {
    if (row.poNumber === undefined) continue;
    byPo[row.poNumber] ??= [];
    byPo[row.poNumber]!.push(row);
  }
  return { outcome, rows, issues, refusals: issues.filter((issue) => issue.severity === 'issue'), byPo };
};

/** Imports bytes as a file of this name. */
export const importBytes = async (
  fileName: string,
  bytes: Uint8Array | string,
  options: OptionInput = {},
  more: { codeLists?: CodeLists; signal?: AbortSignal; waitsForNews?: boolean } = {},
): Promise<Imported> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-intake-'));
  const file = path.join(folder, 'private copy');
  try {
    await writeFile(file, bytes);
    return await importFile(file, options, { ...more, fileName });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** The question that a file with known columns raises, because something in it could mean that it must not be ordered unchanged. */
export const askedOf = async (text: string, options: OptionInput = {}): Promise<string | undefined> => {
  const { outcome } = await importBytes('a.csv', text, options, { waitsForNews: true });
  return outcome.kind === 'refused' && outcome.code === 'not_agreed' ? outcome.message : undefined;
};

/** The refusal of a file that must be refused. */
export const refusalOf = (imported: Imported): Omit<Refused, 'kind' | 'header'> => {
  if (imported.outcome.kind !== 'refused') {
    throw new Error(
      `not refused: ${imported.rows.length} rows, issues ${JSON.stringify(imported.issues.slice(0, 5))}`,
    );
  }
  const { kind, header, ...refusal } = imported.outcome;
  return refusal;
};

/** The orders that the service would receive: PO number, options, lines; in the file's order. */
export const ordersOf = ({ byPo }: Imported) =>
  Object.entries(byPo).map(([poNumber, rows]) => ({
    poNumber,
    options: Object.assign({}, ...rows.map((row) => JSON.parse(row.options))) as Record<string, unknown>,
    lines: rows.map((row) => ({ sku: row.itemSku, id: row.itemId, quantity: row.quantity, note: row.note })),
  }));
