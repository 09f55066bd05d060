import { basename, extname } from 'node:path';
import { FileRefused } from '../../../errors.ts';
import { clearName, rankName } from '../../columns/name-ranks.ts';
import { readHeader } from '../../columns/read-header.ts';
import type { IntakeOptions } from '../../options.ts';
import { findPoNumber } from '../../po-number-source.ts';
import type { RawRow } from '../../types.ts';

/** Where the one PO number of a file seems to be that has no column for it. */
export interface ProposedPoSource {
  from: NonNullable<IntakeOptions['poNumberFrom']>;
  poNumber: string;
  /** Where it was found, as a phrase for a person. */
  why: string;
  /** A cell that is labelled as the PO number leaves no doubt; a name of a file may be any name. */
  certain: boolean;
}

interface File {
  fileName: string;
  sheet: string | undefined;
  rowsAbove: readonly RawRow[];
}

const date = /\d{4}[-_.]?\d{2}[-_.]?\d{2}|\d{2}[-_.]\d{2}[-_.]\d{4}/;

/** Labels whose ranks are closer than this could both be meant. */
const margin = 1;

/** BC-2026-0417 is the number of an order, with its year. */
const prefixed = /^\p{L}+[-_.]?\d/u;

/** Has a digit, and is no date and none of the long IDs that programs give to records. */
const looksLikeNumber = (value: string): boolean =>
  /\d/.test(value) && value.length <= 30 && (!date.test(value) || prefixed.test(value));

/** The labels of cells, best name first: a whole cell, or the text before a colon in it. */
const labelsIn = (rows: readonly RawRow[]): { label: string; rank: number }[] => {
  const labels = new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.split(/[:=]/)[0]!.trim())));
  return [...labels]
    .map((label) => ({ label, rank: rankName(label).po_number }))
    .filter(({ rank }) => rank >= clearName)
    .sort((a, b) => b.rank - a.rank);
};

/** The fewest words before a number, and the most: `Commande BC-2026-0417`, `purchase_order_10457`. */
const splits = [/^(\p{L}[\p{L} _]*?)([\s_-]+)(\S+)$/u, /^(\p{L}[\p{L} _]*)([\s_-]+)(\S+)$/u];
const ofOrder: ReadonlySet<string> = new Set(['po', 'order', 'purchase', 'number', 'document']);

/** A name that says order, and then one number: `PO 88213`, `Bestellung B-4711`, or `PO-88213` as a whole. */
const patternOf = (name: string): string | undefined => {
  // PO10457: the letters are a part of the number.
  if (/^(?:po|bc|pc|oc|ord)\d{3,}$/i.test(name)) return '{po}';
  for (const split of splits) {
    const match = split.exec(name);
    if (!match) return undefined;
    const [, words, between, number] = match as unknown as [string, string, string, string];
    const { meanings, unknown } = readHeader(words.replaceAll('_', ' '));
    const says = unknown === 0 && (meanings.has('po') || meanings.has('order'));
    if (!says || ![...meanings].every((one) => ofOrder.has(one)) || !/\d.*\d.*\d/.test(number)) continue;
    // PO-88213 is the number itself; Bestellung B-4711 is a word and a number.
    const isPrefix = words.length <= 3 && between.length === 1 && between !== ' ';
    return isPrefix ? '{po}' : `${words}${between}{po}`;
  }
  return undefined;
};

const year = /^(?:19|20)\d\d(?:[-_. ]\d{1,2})?$/;

/** A number of three digits or more, and neither a year nor a name such as `Sheet100`. */
const isOrderNumber = (name: string): boolean =>
  looksLikeNumber(name) && /\d\D*\d\D*\d/.test(name) && !year.test(name) && !/\s|^\p{L}{4,}\d/u.test(name);

/** The pattern by which several sheets are named after their POs, if all of them are named alike. */
export const patternOfSheets = (names: readonly string[]): string | undefined => {
  const [pattern, ...others] = new Set(
    names.map((name) => patternOf(name) ?? (isOrderNumber(name) ? '{po}' : undefined)),
  );
  return others.length === 0 ? pattern : undefined;
};

/**
 * Proposes where the PO number of a file without such a column is: where the account says, beside a label above the table,
 * or in the name of the file or of the sheet. Undefined where none of them is clear. Pure.
 *
 * @see docs/purchase-files.md#where-the-po-number-is
 */
export const proposePoSource = (file: File, options: IntakeOptions): ProposedPoSource | undefined => {
  const tryOut = (from: ProposedPoSource['from'], certain: boolean): ProposedPoSource | undefined => {
    try {
      const { poNumber, decision } = findPoNumber(file, { ...options, poNumberFrom: from });
      return { from, poNumber, why: decision.why, certain };
    } catch (error) {
      if (error instanceof FileRefused) return undefined;
      throw error;
    }
  };
  if (options.poNumberFrom) return tryOut(options.poNumberFrom, true);
  const beside = labelsIn(file.rowsAbove).flatMap(({ label, rank }) => {
    const found = tryOut({ cell: label }, true);
    return found && looksLikeNumber(found.poNumber) ? [{ found, rank }] : [];
  });
  const [best] = beside;
  const rivals = beside.filter(
    ({ found, rank }) => best && rank >= best.rank - margin && found.poNumber !== best.found.poNumber,
  );
  if (best) return rivals.length === 0 ? best.found : undefined;
  const fileName = patternOf(basename(file.fileName, extname(file.fileName)));
  const sheetName = patternOf(file.sheet ?? '');
  const from = fileName === undefined ? sheetName && { sheetName } : { fileName };
  const named = from && tryOut(from, false);
  if (!named || !looksLikeNumber(named.poNumber)) return undefined;
  const whole = fileName === '{po}' ? '; the name of each such file would then be its PO number' : '';
  return { ...named, why: `${named.why}${whole}` };
};
