import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';
import { withoutPieces } from '../rows/piece-count.ts';
import type { ColumnNote } from './create-column-notes.ts';

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

/** Units are never read: the quantities count as they are, and a note says where they may not be pieces. */
export const units: ColumnNote = {
  code: 'units_not_read',
  about: 'unread',
  readerOf: ({ header }) => {
    if (!isUnitColumn(header)) return undefined;
    const isUom = readHeader(header).meanings.has('uom') || /^\s*u/i.test(header);
    return (text) => isOther(text, isUom);
  },
  message: ({ header, shown, text, quantity, ignore }) =>
    `The column "${header}" has units that may not be pieces: ${shown}. Units are not read: the quantities count as they are, for example ${quantity} for ${quantity} ${text}. Check that the service counts these items in the same unit and otherwise correct the quantities; ${ignore} if they are always right.`,
};
