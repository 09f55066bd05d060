import { isDateOfSpreadsheet } from '../columns/date-text.ts';
import { type FieldName, fields } from '../columns/fields.ts';
import type { CellAnnotation, CellAnnotationKind, RawRow, RowIssue } from '../types.ts';
import { type Refusal, refuse } from './compile-rules.ts';
import { otherValue } from './other-values.ts';
import { maySayNotToOrder } from './says-not-to-order.ts';

export const innerQuote = refuse(
  'inner_quote',
  'The quote (") in the middle of this value was read as an ordinary character.',
  '',
);

const asText = 'the value as text: format the column as text and enter the value again';

/** Why a cell with this annotation cannot be used for this field; undefined: it can. Pure. */
export const whyAnnotationIsRefused = (
  annotation: CellAnnotationKind,
  field: FieldName,
): Refusal | undefined => {
  const { kind } = fields[field];
  switch (annotation) {
    case 'formatted':
    case 'inner_quote':
    case 'commented':
      return undefined;
    case 'error':
      return refuse('error_cell', 'The cell holds an error value of the spreadsheet.', 'a value');
    case 'unclear':
      return refuse(
        'unclear_cell',
        'The cell holds more than one value, such as hidden or struck-out text, a form field or a footnote, so it is not clear which one is meant.',
        'one plain value in the cell',
      );
    case 'raised':
      if (kind === 'text') return undefined;
      return refuse(
        'unclear_cell',
        'A part of the text of this cell is above or below the line, as the number of a footnote is, and would become a part of the value.',
        'one plain value in the cell',
      );
    case 'struck':
      return refuse(
        'struck_cell',
        'The cell is struck out in the sheet, in whole or in part, so the line may have been cancelled.',
        'the row without the line through it if it is to be ordered, or no such row',
      );
    case 'unevaluated':
      return refuse(
        'formula_without_value',
        'The cell holds a formula that was never calculated, so it has no value.',
        'a value: open the file in a spreadsheet program and save it again',
      );
    case 'boolean':
      if (kind === 'flag' || kind === 'text') return undefined;
      return refuse('boolean_cell', 'A spreadsheet converted this value to TRUE or FALSE.', asText);
    case 'date':
      if (kind === 'text') return undefined;
      return refuse('date_cell', 'A spreadsheet converted this value to a date.', asText);
    case 'digits_lost':
      if (kind !== 'identifier' && kind !== 'last_four') return undefined;
      return refuse(
        'digits_lost',
        'This number has more than 15 digits, and a spreadsheet keeps only the first 15.',
        asText,
      );
    case 'filled':
      if (kind !== 'quantity' && kind !== 'price' && field !== 'item_sku' && field !== 'item_id')
        return undefined;
      return refuse(
        'merged_cell',
        'This is part of a merged cell, and it is not clear whether its value applies to each row or to all of them together.',
        'one value in each row',
      );
  }
};

const scientific = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const excelDate = new RegExp(`^(?:\\d{1,2}-${months}(?:-\\d{2,4})?|${months}-\\d{2})$`);
/** Both patterns above need such letters; most values do not have them. */
const suspicious = /[Ee]\+|[a-z]{2}/;

const shipToLength = 7;

/** Identifiers by the names that dealers use for them. */
const kindNames: Partial<Record<FieldName, string>> = {
  po_number: 'a PO number',
  item_sku: 'a SKU',
  item_id: 'an item ID',
};

const isVital = (field: FieldName) => kindNames[field] !== undefined;

/** In English, German, French, Spanish and Italian. */
const errorText =
  /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|NV|BEZUG!|WERT!|ZAHL!|VALEUR!|NOM\?|NOMBRE\?|REF|VALOR!|¡REF!|¡VALOR!|RIF!|VALORE!|NOME\?|N\/D)$/i;
/** Placeholders of programs and people for a missing value. */
const placeholder =
  /^(?:nan|null|none|undefined|#?n\/a|tbd|tba|tbc|unknown|missing|ditto|dto\.?|idem|0+|[^\p{L}\p{N}]+)$/iu;
/** Prompts of a form: `(enter your PO number)`, `see below`. */
const request =
  /^[(<[{]?\s*(?:please\s+)?(?:enter|insert|fill\s+in|type\s+in|your|see|bitte|siehe|saisir|voir)\s[^\d]*$/i;
/** `PO-2 CANCELLED`, `PO-3 (void)`, and `VOID` alone. */
const noMore =
  /(?:^|[\s([{])(?:cancell?ed|void(?:ed)?|deleted|duplicate|discontinued|do not order|stornier?t?|gelöscht|annul[ée]e?|supprim[ée]e?|cancelad[oa]|anulad[oa]|annullat[oa]|geannuleerd)[)\]}]?$/i;

/** Example rows of templates: `EXAMPLE`, `Example: PO-12345`, `Beispiel 4711`. A number may begin with it: EXAMPLE-7. */
const example =
  /^(?:(?:for\s+)?e\.?\s?g\.|z\.?\s?b\.|(?:examples?|beispiele?|exemples?|ejemplos?|esemp[io]|exemplos?|voorbeeld|przykład)(?=$|[\s:(/]))/iu;

/** Capital letters, digits and hyphens: nothing below applies. A fast test that covers most values. */
const ordinary = /^(?=[^1-9]*[1-9])[A-Z\d-]+$/;

/** The refusal for a value that `looksLikeDate`, if no person can be asked. */
export const madeADate = refuse(
  'date_cell',
  'This looks like a value that a spreadsheet converted to a date.',
  asText,
);

/** Detectable damage that a spreadsheet program did to a value. Pure. */
export const damageOf = (text: string, field: FieldName): Refusal | undefined => {
  if (fields[field].kind !== 'identifier') return undefined;
  if (field === 'ship_to' && text.length < shipToLength && /^\d+$/.test(text)) {
    return refuse(
      'zeros_lost',
      `A ship_to has ${shipToLength} characters, but this one has ${text.length}: a spreadsheet has removed its leading zeros (${text.padStart(shipToLength, '0')}?).`,
      'exactly 7 characters, with leading zeros',
    );
  }
  if (ordinary.test(text)) return undefined;
  if (errorText.test(text))
    return refuse('error_cell', 'This is an error value of a spreadsheet, written as text.', 'a value');
  if (/^=\(*\$?[A-Za-z]+\$?\d*[+*/(:]/.test(text))
    return refuse(
      'formula_without_value',
      'This is a formula, and its value was not written into the file.',
      'a value: open the file in a spreadsheet program and save it with values',
    );
  if (isVital(field) && (placeholder.test(text) || request.test(text)))
    return refuse('placeholder', `This is a placeholder, not ${kindNames[field]}.`, kindNames[field]!);
  if (isVital(field) && noMore.test(text))
    return refuse(
      'says_cancelled',
      'This says that there is no such order or item any more. Remove the row if it is not to be ordered.',
      kindNames[field]!,
    );
  if (isVital(field) && (example.test(text) || (field !== 'po_number' && /^samples?$/i.test(text))))
    return refuse(
      'placeholder',
      'This is an example, as the first row of a template has it. Remove the row.',
      kindNames[field]!,
    );
  const other = isVital(field) ? otherValue(text, field, kindNames[field]!) : undefined;
  if (other) return other;
  if (!suspicious.test(text)) return undefined;
  if (scientific.test(text)) {
    return refuse(
      'digits_lost',
      'A spreadsheet shortened a long number to this, and its digits are lost.',
      asText,
    );
  }
  // PO numbers and items raise a question instead.
  if (!isVital(field) && excelDate.test(text)) return madeADate;
  return undefined;
};

/** Whether a text looks like a number that a spreadsheet converted to a date: `1-Mar`, `Mar-01`, `01. Mrz`. Pure. */
export const looksLikeDate = (text: string): boolean =>
  (suspicious.test(text) && excelDate.test(text)) || isDateOfSpreadsheet(text);

/** States and territories whose ZIP codes begin with 0. No other country has a state with the same code. */
const zeroZipStates = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'PR', 'VI']);

/** A ZIP code that has certainly lost its leading zeros. New York is included: a few of its codes are below 10000. Pure. */
export const lostZipZeros = (zip: string, state: unknown): Refusal | undefined => {
  if (typeof state !== 'string' || !/^\d{3,4}(?:-\d{4})?$/.test(zip)) return undefined;
  const code = state.toUpperCase();
  if (!zeroZipStates.has(code) && code !== 'NY') return undefined;
  const whole = zip.replace(/^\d+/, (digits) => digits.padStart(5, '0'));
  return refuse(
    'zeros_lost',
    `A spreadsheet has removed the leading zeros: ZIP codes in ${code} have five digits (${whole}?).`,
    `five digits, such as ${whole}`,
  );
};

/** The comment on a cell of a row that may say not to order it; undefined: none does. Pure. */
export const stopComment = ({ annotations }: RawRow): CellAnnotation | undefined =>
  annotations?.find(({ comment = '' }) => maySayNotToOrder(comment));

const commentSays = (header: string): Refusal => {
  const message = `A comment on the cell in the column "${header}" says that something is not to be ordered. Remove the comment if the row is to be ordered, or remove the row.`;
  return refuse('comment_says_cancelled', message, 'lines that are to be ordered');
};

const commentUnread = (header: string): Refusal => {
  const message = `The cell in the column "${header}" has a comment. Comments are not read: the row is ordered as its cells say.`;
  return refuse('comment_not_read', message, '');
};

const struckBeside = (header: string): Refusal => {
  const message = `The cell in the column "${header}" is struck out, in whole or in part, so the line may have been cancelled. Remove the line through it if it is to be ordered, or remove the row.`;
  return refuse('struck_cell', message, 'lines that are to be ordered');
};

/** What a cell says about the line of its row besides its own value. */
interface SaidBeside {
  column: number;
  found: string;
  refusalOf: (header: string) => Refusal;
  severity: RowIssue['severity'];
}

/**
 * What struck-out descriptions and comments say of a row: that it may not be meant to be ordered, which is an issue. Other comments may be meant for the
 * order, too, and are noted. Pure.
 */
export const saidBeside = (row: RawRow, describing: ReadonlySet<number>): SaidBeside[] => {
  const { cells, annotations = [] } = row;
  const stop = stopComment(row);
  const struck = annotations.find(({ column, kind }) => kind === 'struck' && describing.has(column));
  const said: SaidBeside[] = struck
    ? [
        {
          column: struck.column,
          found: cells[struck.column] ?? '',
          refusalOf: struckBeside,
          severity: 'issue',
        },
      ]
    : [];
  for (const one of annotations) {
    const { column, comment: found } = one;
    if (found && one === stop) said.push({ column, found, refusalOf: commentSays, severity: 'issue' });
    else if (found) said.push({ column, found, refusalOf: commentUnread, severity: 'note' });
  }
  return said;
};
