import { basename, extname } from 'node:path';
import { columnLetters } from '../column-letters.ts';
import { FileRefused } from '../errors.ts';
import { headerKey } from './columns/fields.ts';
import { isOfWords, readHeader } from './columns/read-header.ts';
import { type FileIdentity, madeForFile, makePoNumber, unknownFile } from './made-po-number.ts';
import type { IntakeOptions } from './options.ts';
import { purchaseFileEnding } from './purchase-file-ending.ts';
import { cleanCell } from './rows/clean-cell.ts';
import { poNumberRule } from './rows/compile-rules.ts';
import { damageOf, looksLikeDate, madeADate, whyAnnotationIsRefused } from './rows/damaged-cells.ts';
import { maySayNotToOrder } from './rows/says-not-to-order.ts';
import { whyUnseen } from './rows/unseen-characters.ts';
import type { Decision, RawRow } from './types.ts';

const override = 'intake.poNumberFrom';

/** A PO number of a whole file, with its source. */
interface FoundNumber {
  poNumber: string;
  /** Where it was found, for a person. */
  where: string;
}

const refuse = (code: string, message: string): never => {
  throw new FileRefused(code, message);
};

/**
 * The values that a pattern with one {po} finds in a name: more than one if it fits in several ways. The text matched by `*` belongs to the
 * number if it says not to order it (`CANCELLED PO-4711`).
 */
const valuesIn = (name: string, pattern: string): string[] => {
  const regex = (greedy: '' | '?') => {
    const parts = pattern
      .split(/(\{po\}|\*)/)
      .map((part, at) =>
        part === '{po}'
          ? `(?<po>.+${greedy})`
          : part === '*'
            ? `(?<rest${at}>.*${greedy})`
            : part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'),
      );
    return new RegExp(`^${parts.join('')}$`, 'isu');
  };
  // With at most one * on each side of {po}, the longest and the shortest match differ if any two matches differ.
  const found = (['', '?'] as const).flatMap((greedy) => {
    const { po, ...rest } = regex(greedy).exec(name)?.groups ?? {};
    const stops = Object.values(rest).filter((text) => maySayNotToOrder(text));
    return po === undefined ? [] : [[...stops, po].map((text) => text.trim()).join(' ')];
  });
  return [...new Set(found)];
};

const numberIn = (name: string, pattern: string, place: string, shown: string): FoundNumber => {
  const what = place.slice('in '.length);
  const [value, other] = valuesIn(name, pattern);
  if (value === undefined || value === '')
    return refuse(
      'po_number_not_found',
      `The PO number is in ${what} (${override}: ${pattern}), but "${shown}" does not fit this pattern. Rename it, or change the pattern in the account.`,
    );
  if (other !== undefined)
    return refuse(
      'po_number_ambiguous',
      `The PO number is in ${what} (${override}: ${pattern}), but "${shown}" fits this pattern in several ways: ${value} or ${other}. Make the pattern more exact.`,
    );
  refuseVersions(value, what, shown);
  return { poNumber: value, where: `${place}, "${shown}", by the pattern ${pattern}` };
};

/** A copy or second download of a file contains the same order, not another one. */
const copyName =
  /\s*(?:\(\d+\)|\[\d+\]|~\d+)$|\.(?:bak|orig)$|[\s_-](copy|copie|copia|kopie)(\s*\(?\d+\)?)?$/i;

/** The dealer's file name without its ending, also of a result file of ours that is sent again. */
const stemOf = (fileName: string): string => {
  const name = basename(fileName);
  const answered = /^(.+)\.\d+\.result\.[a-z]+$/i.exec(name)?.[1];
  const own = answered ?? name.slice(0, name.length - extname(name).length);
  return answered !== undefined && purchaseFileEnding(own) ? own.slice(0, -extname(own).length) : own;
};

/** Additions to the name of a second version: `4711 revised`, `4711_v2`, `4711 old`. */
const addition =
  /(?:^|[\s_.(-])(?:revised|revision|rev\.?\s?\d*|v\d+|version\s?\d*|final|draft|old|new|updated?|corrected|amended|backup|archived?|duplicate|template|sample|example|test|neu|alt|entwurf|vorlage|korrigiert|corrig[ée]e?|modèle|plantilla|borrador)\)?$/i;

/** @throws FileRefused for the name of a second version, a copy or a template, which contains no separate order */
const refuseVersions = (poNumber: string, what: string, shown: string): void => {
  const added = purchaseFileEnding(poNumber) ?? (copyName.exec(poNumber) ?? addition.exec(poNumber))?.[0];
  if (added === undefined) return;
  refuse(
    'name_of_version',
    `The PO number is in ${what} (${override}), but "${shown}" ends with "${added.trim()}", as the name of a copy, another version or a template does. If it is an order of its own, give it the name of its PO alone; if not, remove it.`,
  );
};

/** The PO number of all rows of a file without such a column, unless it was made, or typed by a person. Pure. */
export const numberOfFile = ({ poNumberFrom, constants }: IntakeOptions): string | undefined => {
  if (!poNumberFrom || 'made' in poNumberFrom || constants.po_number === undefined) return undefined;
  const number = String(constants.po_number);
  return 'typed' in poNumberFrom && !maySayNotToOrder(number) ? undefined : number;
};

/** The beginning of a decision's reason if the PO number is in the file name. The ledger finds such imports by it. */
export const inFileName = "in the file's name";

const fromFileName = (fileName: string, pattern: string): FoundNumber => {
  const bare = purchaseFileEnding(pattern) ? pattern.slice(0, -extname(pattern).length) : pattern;
  return numberIn(stemOf(fileName), bare, inFileName, basename(fileName));
};

interface Place {
  row: RawRow;
  at: number;
  text: string;
}

/** Labels of other cells in a form: `Date:`, `Ship Via`. */
const isLabel = (text: string): boolean => {
  const shown = text.trim();
  if (/[:：]$/.test(shown)) return true;
  if (/\d/.test(shown)) return false;
  return isOfWords(readHeader(shown));
};

/** The cell beside or below a label; none if the other cells there are blank or labels themselves. */
const valuesAt = (row: RawRow, at: number, below: RawRow | undefined): Place[] => {
  const right = row.cells.findIndex((text, other) => other > at && text.trim() !== '');
  const beside = right < 0 ? [] : [{ row, at: right, text: row.cells[right]! }];
  const text = below?.rowNumber === row.rowNumber + 1 ? (below.cells[at] ?? '') : '';
  const under = text.trim() === '' ? [] : [{ row: below!, at, text }];
  const hasDigit = (place: Place) => /\d/.test(place.text);
  // Words further away belong to another cell: `PO Number`, a blank cell, `Sales rep`.
  const values = [...beside.filter((one) => right === at + 1 || hasDigit(one)), ...under].filter(
    (one) => !isLabel(one.text),
  );
  const best = values.find(hasDigit) ?? values[0];
  return best ? [best] : [];
};

/** The values beside, below or inside the cells with this label. */
const placesOf = (rows: readonly RawRow[], label: string): Place[] => {
  const key = headerKey(label);
  return rows.flatMap((row, index) =>
    row.cells.flatMap((cell, at): Place[] => {
      const inside = /^(.*?)[\s:#=]*[:#=]\s*(\S.*)$/s.exec(cell.trim());
      if (inside && headerKey(inside[1]!) === key) return [{ row, at, text: inside[2]! }];
      return headerKey(cell) === key ? valuesAt(row, at, rows[index + 1]) : [];
    }),
  );
};

const fromCell = (rows: readonly RawRow[], label: string): FoundNumber & { place: Place } => {
  const places = placesOf(rows, label);
  const [place, other] = places.filter(
    ({ text }, at) => places.findIndex((one) => one.text.trim() === text.trim()) === at,
  );
  const cellName = ({ row, at }: Place) => `${columnLetters(at)}${row.rowNumber}`;
  if (!place)
    return refuse(
      'po_number_not_found',
      `The PO number is in a cell above the table, beside "${label}" (${override}), but there is no such value above the table. Fill in the cell, or correct the label in the account.`,
    );
  if (other)
    return refuse(
      'po_number_ambiguous',
      `The PO number is in a cell above the table, beside "${label}" (${override}), but there are several: "${place.text}" in ${cellName(place)} and "${other.text}" in ${cellName(other)}. Remove all but one.`,
    );
  return { poNumber: place.text, where: `in cell ${cellName(place)}, beside "${label}"`, place };
};

const typedElsewhere = (): never =>
  refuse(
    'po_number_not_found',
    'Files like this one have no PO number, and somebody types it for each of them. Type it in the console, where the file waits.',
  );

/** A number marked as cancelled is not damaged: it raises a question, and holds the earlier file's PO of that number. */
const damageOfNumber = (text: string) => {
  const damage = damageOf(text, 'po_number');
  return damage?.refused === 'says_cancelled' ? undefined : damage;
};

/**
 * Finds the one PO number of a file without such a column, where the account says: in a cell above the table, in the file name, in the
 * sheet name, or made for the file. It must be unambiguous and a usable PO number. Pure.
 *
 * @throws FileRefused `po_number_not_found`, `po_number_ambiguous`, `po_number_unusable`, `name_of_version`
 * @see docs/purchase-files.md#where-the-po-number-is
 */
export const findPoNumber = (
  file: {
    fileName: string;
    sheet: string | undefined;
    rowsAbove: readonly RawRow[];
    identity?: FileIdentity | undefined;
  },
  options: IntakeOptions,
): { poNumber: string; decision: Decision } => {
  const source = options.poNumberFrom!;
  const found: FoundNumber & { place?: Place } =
    'cell' in source
      ? fromCell(file.rowsAbove, source.cell)
      : 'fileName' in source
        ? fromFileName(file.fileName, source.fileName)
        : 'made' in source
          ? {
              poNumber: makePoNumber(source.made, file.identity ?? unknownFile),
              where: madeForFile,
            }
          : 'typed' in source
            ? typedElsewhere()
            : file.sheet === undefined
              ? refuse(
                  'po_number_not_found',
                  `The PO number is the name of the sheet (${override}), but this file is a text file and has no sheets.`,
                )
              : numberIn(file.sheet, source.sheetName, "in the sheet's name", file.sheet);
  const { text } = cleanCell(found.poNumber, 'identifier');
  const annotation = found.place?.row.annotations?.find(({ column }) => column === found.place!.at)?.kind;
  const checked =
    (annotation && whyAnnotationIsRefused(annotation, 'po_number')) ??
    whyUnseen(found.poNumber, 'po_number') ??
    damageOfNumber(text) ??
    (found.place && looksLikeDate(text) ? madeADate : undefined) ??
    poNumberRule(text);
  if (typeof checked === 'object')
    refuse('po_number_unusable', `The PO number "${text}" ${found.where}: ${checked.message}`);
  return { poNumber: text, decision: { what: 'po_number', decided: text, why: found.where, override } };
};
