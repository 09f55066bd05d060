import type { FieldName } from '../columns/fields.ts';
import { type Refusal, refuse } from './compile-rules.ts';

/** Refers to the row above, or to nothing. Words that may be a number or an item count only in brackets. */
const instead =
  /^(?:-?do-?|same(?:\s+as\s+(?:above|before))?|(?:as|see)\s+above|siehe\s+oben|wie\s+oben|idem|pending|to\s+follow|no\s+(?:po|p\.o\.)(?:\s*(?:#|number|no\.?))?|[([{<](?:blank|empty|none|null|leer|vide|same|pending|no\s+po)[)\]}>])$/i;
/** Placeholders in an unfilled form field: `[PO number]`, `<PO>`, `Type here`, `SAMPLE-PO`, `PO-XXXX`. */
const unfilled =
  /^(?:[[<{(]\s*(?:your\s+|our\s+)?(?:po|p\.o\.|purchase\s+order|order|item|sku|part|product)\b[^\d]*[\]>})]|type\s+(?:here|over)|click\s+here|(?:sample|example|your|dummy)[-_\s]?(?:po|order|sku|item|part)(?:[-_\s]?(?:number|no\.?|#))?|(?:po|sku|item|order)[-_\s#]?x{3,})$/i;
/** `4711 (cont'd)`, `4712 page 2`, `4713 B/O`. */
const partOfPo =
  /\d\S*\s+\(?(?:cont(?:['’]?d|inued)?\.?|page\s+\d+(?:\s+of\s+\d+)?|pg\.?\s?\d+|b\/o|back\s?-?order(?:ed)?|fortsetzung|suite|seite\s+\d+)\)?$/i;
/** `AX-17 NLA`, `sold out`. */
const goneItem =
  /(?:^|\s|\()(?:nla|n\.l\.a\.|sold\s*out|out\s+of\s+stock|no\s+longer\s+available|obsolete|ausverkauft|épuisée?|agotad[oa])\)?$/i;
const notThis = /^(?:please\s+)?do\s?n['o’]?t\s+(?:use|order|ship|send)\s/i;
/** `AX-21 x2` and `2x AX-22` have a quantity, `AX-1 or AX-2` two items. A size has other numbers: `Bolt M5 x20`. */
const severalPieces = /(?:\d\S*\s+x\s?[1-9]|^[1-9]\s?x\s+\S*\p{L}\S*\d\S*)$/iu;
const severalItems = /\d\S*\s+(?:or|oder|ou)\s+\S*\d/i;
const alternative = /^\d{1,3}\s+(?:alt(?:ernat(?:iv)?e?)?|sub(?:stitute)?|opt(?:ion)?)\.?$/i;

/** A fast pre-check: all of these have a blank, a bracket, or few letters and no digit. */
const mayBe = /[\s([<{]|^\D{1,20}$|x{3}$/i;
const longest = 60;

/**
 * The refusal for a value that is something else than a PO number or an item; undefined if it is one. `name` is the field in words, such as
 * "a PO number". Pure.
 */
export const otherValue = (text: string, field: FieldName, name: string): Refusal | undefined => {
  if (text.length > longest || !mayBe.test(text)) return undefined;
  if (instead.test(text)) return refuse('placeholder', `This is a placeholder, not ${name}.`, name);
  if (unfilled.test(text))
    return refuse('placeholder', `This is what a form shows where ${name} is to be filled in.`, name);
  if (field === 'po_number')
    return partOfPo.test(text)
      ? refuse(
          'part_of_po',
          'This seems to be a part of another PO, and would be ordered as a PO of its own. Enter the PO number alone.',
          name,
        )
      : undefined;
  if (goneItem.test(text) || notThis.test(text))
    return refuse(
      'says_cancelled',
      'This says that there is no such item any more. Remove the row if it is not to be ordered.',
      name,
    );
  if (severalPieces.test(text) || severalItems.test(text) || alternative.test(text))
    return refuse(
      'several_items',
      'This names a quantity or several items, and would be ordered as one item of this name. Enter one item number alone.',
      name,
    );
  return undefined;
};
