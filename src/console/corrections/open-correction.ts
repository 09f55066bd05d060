import { join } from 'node:path';
import type pg from 'pg';
import { mostCorrectedRows } from '../../api-contract/corrections.ts';
import type { Account } from '../../config/config.ts';
import { type FieldName, headerKey } from '../../intake/columns/fields.ts';
import { storedReading } from '../../intake/file-reading.ts';
import { type RowsToCorrect, readRowsToCorrect } from '../../intake/rows-to-correct.ts';
import {
  type CorrectableImport,
  type LedgerRow,
  listChangedPos,
  listPosToCorrect,
  listRowsToCorrect,
  type PoToCorrect,
} from '../../ledger/console/corrections.ts';
import { identityOf } from '../../ledger/imports.ts';
import { listLayouts } from '../../ledger/layouts.ts';
import { stateWords } from '../../placing/state-words.ts';
import { pos } from '../action-words.ts';
import { ConsoleProblem } from '../problems.ts';

/** POs that were not ordered, with their original rows. */
export interface OpenedCorrection extends RowsToCorrect {
  from: CorrectableImport;
  purchaseOrders: PoToCorrect[];
  /** By row number in the file. */
  ledgerRows: ReadonlyMap<number, LedgerRow>;
  /** Number of POs that exceeded the limit. */
  left: number;
}

/** Adds columns, each named after its field so that it is recognised. */
export const addColumns = (opened: OpenedCorrection, fields: readonly FieldName[]): OpenedCorrection => {
  if (fields.length === 0) return opened;
  const { columns = {}, ...settings } = opened.settings;
  return {
    ...opened,
    columns: [...opened.columns, ...fields.map((field) => ({ header: field, field }))],
    settings: {
      ...settings,
      columns: { ...columns, ...Object.fromEntries(fields.map((field) => [field, field])) },
    },
  };
};

/** Complete POs in the file's order, up to the limit of rows. */
const fitting = (found: readonly PoToCorrect[]): PoToCorrect[] => {
  let rows = 0;
  const tooMany = found.findIndex(({ rowCount }) => {
    rows += rowCount;
    return rows > mostCorrectedRows;
  });
  return tooMany < 0 ? [...found] : found.slice(0, tooMany);
};

const cannot = (why: string) => new ConsoleProblem('not_possible', why);

/** Whether the file was originally read in another way, so that its rows had other numbers. */
const isOtherTable = (now: RowsToCorrect, before: CorrectableImport['detection']): boolean =>
  before !== null &&
  (now.detection.headerRow !== before.headerRow ||
    now.detection.sheet !== before.sheet ||
    JSON.stringify(now.detection.combined ?? null) !== JSON.stringify(before.combined ?? null));

const named = 3;

/**
 * Checks that the POs that a person chose still need correction.
 *
 * @throws ConsoleProblem `conflict` if one of them needs no correction any more
 */
export const assertCorrectable = async (
  pool: pg.Pool,
  importId: string,
  ids: readonly string[],
): Promise<void> => {
  const changed = await listChangedPos(pool, importId, ids);
  if (changed.length === 0) return;
  const now = changed
    .slice(0, named)
    .map(
      ({ poNumber, state, elsewhere }) =>
        `PO ${poNumber} is ${stateWords[state]} now${elsewhere === null ? '' : `, in import ${elsewhere}`}`,
    );
  const more = changed.length - now.length;
  const others = ids.length - changed.length;
  throw new ConsoleProblem(
    'conflict',
    `${now.join('; ')}${more > 0 ? `; ${pos(more)} more changed, too` : ''}. Nothing of yours was ordered. ${
      others === 0
        ? 'Nothing is left to correct here.'
        : `The other ${others === 1 ? 'PO' : pos(others)} can still be ordered: open ${others === 1 ? 'it' : 'them'} again.`
    }`,
  );
};

/**
 * Reads the rows of POs that were not ordered, by the present settings of their file.
 *
 * @param ids the POs that a person chose; null: all of the import
 * @throws ConsoleProblem `not_possible`; `conflict` if a chosen PO no longer needs correction
 */
export const openCorrection = async (
  pool: pg.Pool,
  account: Account,
  from: CorrectableImport,
  ids: readonly string[] | null,
  signal: AbortSignal,
): Promise<OpenedCorrection> => {
  const all = await listPosToCorrect(pool, from.id, null, mostCorrectedRows);
  const found = ids === null ? all : await listPosToCorrect(pool, from.id, ids, mostCorrectedRows);
  await assertCorrectable(pool, from.id, ids ?? []);
  if (found.length === 0)
    throw new ConsoleProblem(
      'conflict',
      'Nothing is left to correct here: no PO of this file is rejected or failed any more.',
    );
  if (from.prunedAt !== null)
    throw cannot(
      `The rows of this file were removed on ${from.prunedAt.slice(0, 10)} because of their age. Upload a corrected file instead.`,
    );
  const purchaseOrders = fitting(found);
  if (purchaseOrders.length === 0)
    throw cannot(
      `PO ${found[0]!.poNumber} has ${found[0]!.rowCount.toLocaleString('en-US')} rows, and at most ${mostCorrectedRows.toLocaleString('en-US')} can be corrected here. Download what has to be corrected under Files, and upload it once it is right.`,
    );
  const poNumbers = purchaseOrders.map(({ poNumber }) => poNumber);
  // Wrong rows without a PO may belong to any of them.
  const isAll = purchaseOrders.length === all.length;
  const ledgerRows = await listRowsToCorrect(pool, from.id, poNumbers, isAll);
  const opened = await readRowsToCorrect(
    {
      path: join(account.folder, from.filePath),
      fileName: from.fileName,
      identity: await identityOf(pool, account.name, from.sha256),
      layouts: await listLayouts(pool, account.name),
      signal,
      ...storedReading(account.intake, from.reading ?? undefined),
    },
    {
      rows: new Map(ledgerRows.map(({ rowNumber, poNumber }) => [rowNumber, poNumber ?? undefined])),
      poNumbers: new Set(poNumbers),
    },
  );
  if (opened.kind === 'refused')
    throw cannot(`This file can no longer be read as it was, so upload a corrected one. ${opened.message}`);
  if (isOtherTable(opened, from.detection))
    throw cannot('Files like this one are read in another way now, so upload a corrected file instead.');
  return {
    ...opened,
    from,
    purchaseOrders,
    ledgerRows: new Map(ledgerRows.map((row) => [row.rowNumber, row])),
    left: found.length - purchaseOrders.length,
  };
};

/** The position of a column, by the name in an issue. */
export const columnAt = (columns: OpenedCorrection['columns'], name: string): number | null => {
  const exact = columns.findIndex(({ header }) => header === name);
  if (exact >= 0) return exact;
  const at = columns.findIndex(
    ({ header, field }) =>
      field === name || (headerKey(header) !== '' && headerKey(header) === headerKey(name)),
  );
  return at < 0 ? null : at;
};
