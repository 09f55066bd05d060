import { basename, extname } from 'node:path';
import { FileRefused } from '../../../errors.ts';
import { clearName, rankName } from '../../columns/name-ranks.ts';
import { readHeader } from '../../columns/read-header.ts';
import type { IntakeOptions } from '../../options.ts';
import { findPoNumber } from '../../po-number-source.ts';
import type { RawRow } from '../../types.ts';

/** The probable place of the PO number in a file without such a column. */
export interface ProposedPoSource {
  from: NonNullable<IntakeOptions['poNumberFrom']>;
  poNumber: string;
  /** The place, as a phrase for a person. */
  why: string;
  /** A cell labelled as the PO number is certain; a file name may be anything. */
  certain: boolean;
}

interface File {
  fileName: string;
  sheet: string | undefined;
  rowsAbove: readonly RawRow[];
}

const date = /\d{4}[-_.]?\d{2}[-_.]?\d{2}|\d{2}[-_.]\d{2}[-_.]\d{4}/;

/** Labels whose ranks are closer than this are ambiguous. */
const margin = 1;

/** BC-2026-0417 is an order number that contains the year. */
const prefixed = /^\p{L}+[-_.]?\d/u;

/** Has a digit, and is neither a date nor a long generated ID. */
const looksLikeNumber = (value: string): boolean =>
  /\d/.test(value) && value.length <= 30 && (!date.test(value) || prefixed.test(value));

/** The labels in cells, best name first: a whole cell, or its text before a colon. */
const labelsIn = (rows: readonly RawRow[]): { label: string; rank: number }[] => {
  const labels = new Set(rows.flatMap(({ cells }) => cells.map((cell) => cell.split(/[:=]/)[0]!.trim())));
  return [...labels]
    .map((label) => ({ label, rank: rankName(label).po_number }))
    .filter(({ rank }) => rank >= clearName)
    .sort((a, b) => b.rank - a.rank);
};

/** Splits at the fewest and the most words before a number: `Commande BC-2026-0417`, `purchase_order_10457`. */
const splits = [/^(\p{L}[\p{L} _]*?)([\s_-]+)(\S+)$/u, /^(\p{L}[\p{L} _]*)([\s_-]+)(\S+)$/u];
const ofOrder: ReadonlySet<string> = new Set(['po', 'order', 'purchase', 'number', 'document']);

/** The pattern of a name with a word for order and one number: `PO 88213`, `Bestellung B-4711`, or `PO-88213` as a whole. */
const patternOf = (name: string): string | undefined => {
  // PO10457: the letters are part of the number.
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

/** A number of three or more digits that is neither a year nor a name such as `Sheet100`. */
const isOrderNumber = (name: string): boolean =>
  looksLikeNumber(name) && /\d\D*\d\D*\d/.test(name) && !year.test(name) && !/\s|^\p{L}{4,}\d/u.test(name);

/** The common pattern of sheets named after their POs; undefined if there is none. */
export const patternOfSheets = (names: readonly string[]): string | undefined => {
  const [pattern, ...others] = new Set(
    names.map((name) => patternOf(name) ?? (isOrderNumber(name) ? '{po}' : undefined)),
  );
  return others.length === 0 ? pattern : undefined;
};

/**
 * Proposes where the PO number of a file without such a column is: where the account says, beside a label above the table, or in the file
 * or sheet name. Undefined if none is clear. Pure.
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
