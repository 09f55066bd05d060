import { cleanCell } from './clean-cell.ts';
import type { FieldName } from './fields.ts';

/** A column as its values look, for a file whose headers say nothing that we know. */
export interface ColumnGuess {
  column: number;
  field: FieldName;
  /** Why, in words. */
  why: string;
}

interface Look {
  column: number;
  header: string;
  filled: number;
  distinct: number;
  /** Values that equal the one above. */
  repeats: number;
  wholeNumbers: number;
  decimals: number;
  dates: number;
  longest: number;
  /** 1, 2, 3 or 10, 20, 30: line numbers. */
  counts: boolean;
  /** Values that say themselves that they are PO numbers. */
  namesPo: number;
}

const date = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}/;

const lookAt = (header: string, column: number, rows: readonly string[][]): Look => {
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
    // They rise by one step and fall back for the next PO; quantities also stay the same, or rise by several steps.
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

type Score = (look: Look) => number;

/** From 0 (cannot be) upwards; the header only tips the scales. */
const scores: Record<'quantity' | 'po_number' | 'item_sku', Score> = {
  quantity: (look) =>
    look.wholeNumbers < 0.9 || look.counts
      ? 0
      : look.filled + look.wholeNumbers + (look.longest <= 3 ? 0.5 : 0) - look.repeats / 2,
  po_number: (look) =>
    look.decimals > 0.1 || look.dates > 0.1 || look.longest > 60 || look.longest < 3 || look.distinct <= 0.02
      ? 0
      : look.filled + look.namesPo * 2 + Math.min(look.repeats, 0.8) * 1.5 + (look.longest >= 4 ? 0.3 : 0),
  item_sku: (look) =>
    look.decimals > 0.1 || look.dates > 0.1 || look.longest > 40 || look.longest < 3
      ? 0
      : look.filled + look.distinct - look.repeats,
};

const whys: Record<keyof typeof scores, string> = {
  quantity: 'its values are small whole numbers',
  po_number: 'its values repeat from row to row',
  item_sku: 'its values differ from row to row',
};

/**
 * Guesses the fields that every file needs from the values of its columns, for those that no header names. A guess is
 * shown to a person, never used for an import by itself. Pure.
 *
 * @param known columns whose field is known
 * @param needed fields still to be found
 */
export const guessColumns = (
  headers: readonly string[],
  rows: readonly string[][],
  known: ReadonlySet<number>,
  needed: readonly (keyof typeof scores)[],
): ColumnGuess[] => {
  const looks = headers.map((header, column) => lookAt(header, column, rows));
  const taken = new Set(known);
  const guesses: ColumnGuess[] = [];
  for (const field of needed) {
    const ranked = looks
      .filter((look) => !taken.has(look.column))
      .map((look) => {
        const base = scores[field](look);
        const hinted = hints[field]!.test(look.header);
        return { look, hinted, score: base === 0 ? 0 : base + (hinted ? 1 : 0) };
      })
      .toSorted((a, b) => b.score - a.score);
    const best = ranked[0];
    if (!best || best.score === 0) continue;
    taken.add(best.look.column);
    const why = best.hinted ? `${whys[field]}, and its header hints at it` : whys[field];
    guesses.push({ column: best.look.column, field, why });
  }
  return guesses;
};
