import type { Refusal } from './compile-rules.ts';
import { type FieldName, fields } from './fields.ts';
import type { IntakeOptions } from './options.ts';
import type { CellMarkKind } from './types.ts';

const refuse = (refused: string, message: string, expected: string): Refusal => ({
  refused,
  message,
  expected,
});

const asText = 'the value as text: format the column as text and enter it again';

/** Why a cell that the spreadsheet marks so cannot be this field, or undefined when it can. Pure. */
export const whyMarkIsRefused = (mark: CellMarkKind, field: FieldName): Refusal | undefined => {
  const { kind } = fields[field];
  switch (mark) {
    case 'error':
      return refuse('error_cell', 'It is an error value of the spreadsheet.', 'a value');
    case 'unevaluated':
      return refuse(
        'formula_without_value',
        'It is a formula that was never calculated, so that nobody knows its value.',
        'a value: open the file in a spreadsheet program and save it again',
      );
    case 'boolean':
      if (kind === 'flag' || kind === 'text') return undefined;
      return refuse('boolean_cell', 'A spreadsheet made TRUE or FALSE of it.', asText);
    case 'date':
      if (kind === 'text') return undefined;
      return refuse('date_cell', 'A spreadsheet made a date of it.', asText);
    case 'digits_lost':
      if (kind !== 'identifier' && kind !== 'last_four') return undefined;
      return refuse(
        'digits_lost',
        'It is a number of more than 15 digits, of which a spreadsheet keeps only the first 15.',
        asText,
      );
    case 'filled':
      if (kind !== 'quantity' && kind !== 'price' && field !== 'item_sku' && field !== 'item_id')
        return undefined;
      return refuse(
        'merged_cell',
        'It is part of a merged cell, and it is not clear whether the value is meant for each row or for all together.',
        'one value in each row',
      );
  }
};

const scientific = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const excelDate = new RegExp(`^(?:\\d{1,2}-${months}(?:-\\d{2,4})?|${months}-\\d{2})$`);
/** The letters that both of them need; most values have none of them. */
const suspicious = /[Ee]\+|[a-z]{2}/;

const shipToLength = 7;

/** What a spreadsheet program did to a value before it reached us, where that can be seen. Pure. */
export const damageOf = (
  text: string,
  field: FieldName,
  options: Pick<IntakeOptions, 'dateLikeIdentifiers'>,
): Refusal | undefined => {
  if (fields[field].kind !== 'identifier') return undefined;
  if (field === 'ship_to' && text.length < shipToLength && /^\d+$/.test(text)) {
    return refuse(
      'zeros_lost',
      `It has ${text.length} of the ${shipToLength} characters of a ship_to: a spreadsheet has removed its leading zeros (${text.padStart(shipToLength, '0')}?).`,
      'exactly 7 characters, with their leading zeros',
    );
  }
  if (!suspicious.test(text)) return undefined;
  if (scientific.test(text)) {
    return refuse(
      'digits_lost',
      'A spreadsheet shortened a long number to this; its digits are lost.',
      asText,
    );
  }
  if (options.dateLikeIdentifiers === 'refuse' && excelDate.test(text)) {
    return refuse(
      'date_cell',
      'It looks like a date that a spreadsheet made of another value.',
      `${asText}; if it is right, set intake.dateLikeIdentifiers: keep`,
    );
  }
  return undefined;
};

/** States and territories whose ZIP codes begin with 0, and no code of another country's states. */
const zeroZipStates = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'RI', 'VT', 'PR', 'VI']);

/** A ZIP code that has provably lost its leading zeros. New York has a few such codes, all below 10000. Pure. */
export const lostZipZeros = (zip: string, state: unknown): Refusal | undefined => {
  if (typeof state !== 'string' || !/^\d{3,4}(?:-\d{4})?$/.test(zip)) return undefined;
  const code = state.toUpperCase();
  if (!zeroZipStates.has(code) && code !== 'NY') return undefined;
  const whole = zip.replace(/^\d+/, (digits) => digits.padStart(5, '0'));
  return refuse(
    'zeros_lost',
    `A spreadsheet has removed its leading zeros: ZIP codes in ${code} have five digits (${whole}?).`,
    `five digits, such as ${whole}; if it is right, set intake.lostZipZeros: keep`,
  );
};
