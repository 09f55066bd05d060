import type { RowIssue } from '../types.ts';
import { issueAt } from './row-issue.ts';

const labels = [
  'page|seite|página|pagina|printed|gedruckt|trailer|trl|eof|end|ende|fin|items?|lines?|rows?|records?|units?|pieces|pcs|pages?|count|anzahl|nombre',
  'qty|quantity|menge|balance|saldo|sum|summe|subtotal|total|totals|carried|brought|c/f|b/f|übertrag|report|reporter|positionen|positions?|zeilen',
  'terms|net|date|datum|tel|telephone|phone|fax|ext|notes?|remarks?|comments?|prepared|authori[sz]ed|approved|signed|signature|contact|buyer',
  'ship|bill|deliver|attn|attention|confirmed|ordered|entered|subject|discount|freight|tax|footer|header|hdr|ftr',
].join('|');
/** `Page 1`, `Carried forward`, `Printed 11/20/2026`. `COUNT-7` and `T4711` may be numbers. */
const label = new RegExp(`^(?:${labels})(?:$|[\\s:.#=])`, 'iu');
const counted = /^\d+\s+(?:pos?|p\.o\.s?|orders?|lines?|items?|rows?|records?|units?|pieces|pcs|pages?)\b/i;
const letterAlone = /^(?:[eht]|po\s?#?|p\.?o\.?|order|orders|pos|[^\d]*:)$/i;

const isLabel = (text: string): boolean => label.test(text) || counted.test(text) || letterAlone.test(text);

const shapeOf = (text: string) => text.replace(/\d+/g, '9').replace(/[A-Z]+/gi, 'A');

const leastOthers = 3;
const mostShapes = 50;
const mostOdd = 200;

/** Looks for PO numbers that are none, by all PO numbers of the file. */
export interface OddPoWatch {
  /** Must be called for each line, in order. */
  see(poNumber: string, rowNumber: number): void;
  /** Must be called after the last row. @param column the header of the PO number */
  issues(column: string): RowIssue[];
}

/**
 * Finds labels and remarks that were taken as PO numbers (`Page 1`, `TRAILER`, `Terms:`), where the others have digits, and PO numbers
 * without a digit where nearly all others are written alike. Memory does not grow with the file.
 */
export const createOddPoWatch = (): OddPoWatch => {
  let last: string | undefined;
  let example: string | undefined;
  let numbers = 0;
  let wordsOnly = 0;
  const shapes = new Map<string, number>();
  const odd = new Map<string, { rowNumber: number; isLabel: boolean }>();
  const see = (poNumber: string, rowNumber: number) => {
    if (poNumber === last) return;
    last = poNumber;
    const hasDigit = /\d/.test(poNumber);
    const labelled = !/^\p{Lu}*-?\d/u.test(poNumber) || /\s/.test(poNumber) ? isLabel(poNumber) : false;
    if (hasDigit && !labelled) {
      numbers += 1;
      example ??= poNumber;
      const shape = shapeOf(poNumber);
      if (shapes.size < mostShapes || shapes.has(shape)) shapes.set(shape, (shapes.get(shape) ?? 0) + 1);
      return;
    }
    if (!labelled) wordsOnly += 1;
    if (odd.size < mostOdd && !odd.has(poNumber)) odd.set(poNumber, { rowNumber, isLabel: labelled });
  };
  const issues = (column: string) => {
    const alike = Math.max(0, ...shapes.values()) >= 0.8 * numbers;
    const isRare = numbers >= leastOthers && alike && wordsOnly <= 0.2 * (numbers + wordsOnly);
    return [...odd].flatMap(([poNumber, { rowNumber, isLabel: labelled }]) => {
      if (numbers <= wordsOnly || !(labelled || isRare)) return [];
      const shown = poNumber.slice(0, 60).toWellFormed();
      const message = labelled
        ? `"${shown}" is a label and no PO number, unlike the others in the file (for example ${example}). Remove the row. If it is a PO number, send its rows in a file of their own.`
        : `"${shown}" has no digit, unlike the other PO numbers in the file (for example ${example}), so the row may be a remark. Remove it if it is no order; otherwise send its rows in a file of their own.`;
      return [{ ...issueAt(rowNumber, poNumber, column, 'po_number_odd', message), found: poNumber }];
    });
  };
  return { see, issues };
};
