import { headerKey } from '../columns/fields.ts';
import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { withoutPieces } from './piece-count.ts';

/** Names of a column that can say how an item is packed: `Unit`, `Packaging`, `Sales Pack`. */
const ofPack: ReadonlySet<Meaning> = new Set([
  'pack',
  'each',
  'uom',
  'kind',
  'code',
  'order',
  'line',
  'item',
  'sale',
  'purchase',
] satisfies Meaning[]);

const isUnitColumn = (header: string): boolean => {
  if (/^\s*u\W?o?\W?m\W*$/i.test(header)) return true;
  const { meanings, unknown } = readHeader(header);
  if (unknown > 0) return false;
  return (
    meanings.has('uom') ||
    ((meanings.has('pack') || meanings.has('each')) && [...meanings].every((one) => ofPack.has(one)))
  );
};

const packs =
  'cse?s?|cases?|bx|box(?:es)?|dz|doz(?:en)?s?|dzn|pkg?s?|pkts?|pac?ks?|packets?|packages?|ctns?|crtn?|cartons?|prs?|pairs?|sets?|gr|gross|bgs?|bags?|rls?|rolls?|pls?|plts?|pal|pallets?|bdls?|bundles?|tubes?|drums?|ft|lbs?|kg|g|m|l|kartons?|kt|kar|krt|packung(?:en)?|paar|dtz|dutzend|ve|vpe|gebinde|paletten?|cajas?|docenas?|boîtes?|boites?|douzaines?|paires?|scatol[ae]|dozzin[ae]|dozen|doos|dozijn|opak';
/** `CS`, `Case of 12`, `PK12`, `12/CS`, `BX (10)`. */
const pack = new RegExp(
  `^(?:\\d+\\s*[x/]?\\s*)?(?:${packs})\\.?\\s*(?:of|à|a|x|[/(-])?\\s*(\\d+)?\\s*(?:pcs?|ea|st|stk)?\\)?$`,
  'iu',
);
const word = /^\p{L}{1,12}\.?$/u;
/** Further words for pieces, which no quantity has beside its number. */
const pieces = /^(?:eaches|nos?|nbr|items?|pc\.?e|stuk)\.?$/i;

/** Whether a unit is another one than pieces. In a column that is not named a unit, only words for packs are units. */
const isOther = (text: string, isUom: boolean): boolean => {
  if (text.length > 30 || pieces.test(text) || withoutPieces(`1 ${text}`) !== undefined) return false;
  const found = pack.exec(text);
  return found ? found[1] !== '1' : isUom && word.test(text);
};

export interface UnitsWatch {
  see(row: RawRow): void;
  /** One for each column with units that are no pieces. */
  notes(): RowIssue[];
}

interface Seen {
  rowNumber: number;
  quantity: string;
  rows: number;
}

const mostNamed = 5;
/** The units of a file are few. A column of other texts must not fill the memory. */
const mostKnown = 200;

/**
 * Counts the units of the rows, in columns that the account does not map. Units are never read: the quantities are ordered as they
 * are, and a person is told where they may not be pieces.
 */
export const createUnitsWatch = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns' | 'header'>,
): UnitsWatch => {
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  const quantityAt = columns.findIndex(({ field }) => field === 'quantity');
  const watched = columns.flatMap(({ header, field }, at) =>
    field === null && options.header !== 'none' && !mapped.has(headerKey(header)) && isUnitColumn(header)
      ? [
          {
            header,
            at,
            isUom: readHeader(header).meanings.has('uom') || /^\s*u/i.test(header),
            units: new Map<string, Seen>(),
            pieces: new Set<string>(),
          },
        ]
      : [],
  );
  const see = ({ rowNumber, cells }: RawRow) => {
    for (const { header, at, isUom, units, pieces } of watched) {
      const unit = (cells[at] ?? '').trim();
      if (unit === '' || pieces.has(unit)) continue;
      const seen = units.get(unit);
      if (seen) seen.rows += 1;
      else if (headerKey(unit) === headerKey(header) || !isOther(unit, isUom)) {
        if (pieces.size < mostKnown) pieces.add(unit);
      } else if (units.size < mostKnown)
        units.set(unit, { rowNumber, quantity: (cells[quantityAt] ?? '').trim(), rows: 1 });
    }
  };
  const noteOf = (header: string, units: Map<string, Seen>): RowIssue => {
    const all = [...units];
    const [unit, first] = all[0]!;
    const shown = all
      .slice(0, mostNamed)
      .map(([text, { rows }]) => `${text} in ${rows === 1 ? '1 row' : `${rows} rows`}`);
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
    return {
      rowNumber: first.rowNumber,
      poNumber: undefined,
      severity: 'note',
      column: header,
      code: 'units_not_read',
      message: `The column "${header}" has units that may not be pieces: ${shown.join(', ')}${more}. Units are not read: the quantities are ordered as they are, for example ${first.quantity} for ${first.quantity} ${unit} in row ${first.rowNumber}. Check that the service counts these items in the same unit and otherwise correct the quantities; map "${header}" to ignore in intake.columns of the account if they are always right.`,
      found: unit,
      expected: undefined,
    };
  };
  return {
    see,
    notes: () => watched.flatMap(({ header, units }) => (units.size === 0 ? [] : [noteOf(header, units)])),
  };
};
