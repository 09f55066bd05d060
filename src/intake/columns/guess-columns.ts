import { cleanCell } from '../rows/clean-cell.ts';
import type { FieldName } from './fields.ts';

/** A guess what a column holds, made from its values because its header is not known. */
export interface ColumnGuess {
  column: number;
  field: FieldName;
  /** The reason, as a phrase for a person. */
  why: string;
}

/** Statistics of a column's values. Numbers without a unit are shares from 0 to 1. */
interface ColumnProfile {
  column: number;
  header: string;
  filled: number;
  distinct: number;
  /** Share of values that equal the one above. */
  repeats: number;
  wholeNumbers: number;
  decimals: number;
  dates: number;
  /** Characters of the longest value. */
  longest: number;
  /** The values are line numbers: 1, 2, 3 or 10, 20, 30. */
  counts: boolean;
  /** Share of values that begin with PO. */
  namesPo: number;
}

const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;

const profileColumn = (header: string, column: number, rows: readonly string[][]): ColumnProfile => {
  const values = rows
    .map((row) => cleanCell(row[column] ?? '', 'identifier').text)
    .filter((value) => value !== '');
  const numbers = values.map(Number);
  const steps = numbers.slice(1).map((number, at) => number - numbers[at]!);
  const up = steps.filter((step) => step > 0);
  return {
    column,
    header: header.toLowerCase(),
    filled: values.length / Math.max(1, rows.length),
    distinct: new Set(values).size / Math.max(1, values.length),
    repeats:
      values.filter((value, at) => at > 0 && value === values[at - 1]).length / Math.max(1, values.length),
    wholeNumbers: values.filter((value) => /^[1-9]\d{0,4}$/.test(value)).length / Math.max(1, values.length),
    decimals: values.filter((value) => /^\d*[.,]\d+$/.test(value)).length / Math.max(1, values.length),
    dates: values.filter((value) => date.test(value)).length / Math.max(1, values.length),
    longest: Math.max(0, ...values.map((value) => value.length)),
    // Line numbers rise by one step and start again with the next PO; quantities also stay equal or rise by several steps.
    counts:
      numbers[0]! <= 10 && up.length * 2 >= steps.length && new Set(up).size === 1 && !steps.includes(0),
    namesPo: values.filter((value) => /^p\.?o\b/i.test(value)).length / Math.max(1, values.length),
  };
};

const hints: Partial<Record<FieldName, RegExp>> = {
  po_number: /(^|[^a-z])po([^a-z]|$)|purchase|order|reference|(^|[^a-z])ref|bestell|auftrag|pedido|commande/,
  item_sku: /sku|item|part|product|article|artikel|material|code/,
  quantity: /qty|quant|menge|cantidad|stück|units|pcs|pieces|ordered/,
};

type Score = (profile: ColumnProfile) => number;

/** 0 means impossible; higher is more likely. A fitting header adds 1 to a score above 0. */
const scores: Record<'quantity' | 'po_number' | 'item_sku', Score> = {
  quantity: (profile) =>
    profile.wholeNumbers < 0.9 || profile.counts
      ? 0
      : profile.filled + profile.wholeNumbers + (profile.longest <= 3 ? 0.5 : 0) - profile.repeats / 2,
  po_number: (profile) =>
    profile.decimals > 0.1 ||
    profile.dates > 0.1 ||
    profile.longest > 60 ||
    profile.longest < 3 ||
    profile.distinct <= 0.02
      ? 0
      : profile.filled +
        profile.namesPo * 2 +
        Math.min(profile.repeats, 0.8) * 1.5 +
        (profile.longest >= 4 ? 0.3 : 0),
  item_sku: (profile) =>
    profile.decimals > 0.1 || profile.dates > 0.1 || profile.longest > 40 || profile.longest < 3
      ? 0
      : profile.filled + profile.distinct - profile.repeats,
};

const evidence: Record<keyof typeof scores, [what: string, seen: string]> = {
  quantity: ['a quantity', 'whole numbers'],
  po_number: ['a PO number', 'values that repeat from row to row'],
  item_sku: ['an item number', 'values that differ from row to row'],
};

/**
 * Guesses from their values which columns hold the required fields that no header names. A guess is shown to a person and
 * never used for an import without confirmation. Pure.
 *
 * @param known columns with a known field
 * @param needed fields still to be found
 */
export const guessColumns = (
  headers: readonly string[],
  rows: readonly string[][],
  known: ReadonlySet<number>,
  needed: readonly (keyof typeof scores)[],
): ColumnGuess[] => {
  const profiles = headers.map((header, column) => profileColumn(header, column, rows));
  const taken = new Set(known);
  const guesses: ColumnGuess[] = [];
  for (const field of needed) {
    const ranked = profiles
      .filter((profile) => !taken.has(profile.column))
      .map((profile) => {
        const base = scores[field](profile);
        const hinted = hints[field]!.test(profile.header);
        return { profile, hinted, score: base === 0 ? 0 : base + (hinted ? 1 : 0) };
      })
      .toSorted((a, b) => b.score - a.score);
    const best = ranked[0];
    if (!best || best.score === 0) continue;
    taken.add(best.profile.column);
    const [what, seen] = evidence[field];
    const why = `looks like ${what} (${seen}${best.hinted ? ', and the header fits' : ''}) – please check`;
    guesses.push({ column: best.profile.column, field, why });
  }
  return guesses;
};
