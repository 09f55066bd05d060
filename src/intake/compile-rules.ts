import { z } from 'zod';
import { type CodeLists, cartOptionFields, poNumber, whyPoNumberIsUnusable } from '../contract/carts.ts';
import { itemFields } from '../contract/items.ts';
import { type FieldName, fieldNames, fields } from './fields.ts';
import type { IntakeOptions } from './options.ts';

/** A value of a field that was refused. */
export interface Refusal {
  refused: string;
  /** One sentence: what is wrong with it. */
  message: string;
  expected: string;
}

/** Gives the value that the service gets for a cleaned, non-blank text, or why it is refused. */
export type FieldRule = (text: string) => string | number | boolean | Refusal;

const refuse = (refused: string, message: string, expected: string): Refusal => ({
  refused,
  message,
  expected,
});

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const asciiText = /^[ -~]*$/;

/** Asks the contract, and puts its answer into words. */
const askContract = (schema: z.ZodType, value: unknown): Refusal | undefined => {
  const answer = schema.safeParse(value);
  if (answer.success) return undefined;
  const issue = answer.error.issues[0]!;
  const rule = (issue as { params?: { rule?: string } }).params?.rule;
  const expected = issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message;
  return refuse(rule ?? issue.code, `It must be ${expected}.`, expected);
};

/** Text of the contract. ASCII within its length is accepted at once; everything else is the contract's to judge. */
const textRule = (schema: z.ZodType, oneLine: boolean): FieldRule => {
  const { minLength = 1, maxLength = 200 } = (schema.meta() ?? {}) as {
    minLength?: number;
    maxLength?: number;
  };
  return (text) => {
    if (text.length >= minLength && text.length <= maxLength && asciiText.test(text)) return text;
    if (control.test(text)) {
      return refuse(
        'control_character',
        'It contains a control character.',
        'text without control characters',
      );
    }
    if (oneLine && /[\n\r]/.test(text)) {
      return refuse('line_break', 'It contains a line break.', 'text on one line');
    }
    return askContract(schema, text) ?? text;
  };
};

const codeRule = (schema: z.ZodType): FieldRule => {
  const values = schema instanceof z.ZodEnum ? (schema.options as string[]) : [];
  const byKey = new Map(values.map((value) => [value.toLowerCase(), value]));
  return (text) => byKey.get(text.toLowerCase()) ?? askContract(schema, text) ?? text;
};

const flagRule = (options: IntakeOptions): FieldRule => {
  const yes = new Set(options.yes.map((word) => word.toLowerCase()));
  const no = new Set(options.no.map((word) => word.toLowerCase()));
  const expected = `one of ${[...yes, ...no].join(', ')}, or blank`;
  return (text) => {
    const word = text.toLowerCase();
    if (yes.has(word)) return true;
    if (no.has(word)) return false;
    return refuse('not_yes_or_no', 'It is neither yes nor no.', expected);
  };
};

/** How numbers are spelled in a file: the account's decimal sign, and whether cells can be numbers themselves. */
type Spelling = Pick<IntakeOptions, 'decimal'> & { inSheet: boolean };

/** 1.125 in a sheet of an account that writes commas: a number of that size, or text for a thousand more. */
const isEitherNumber = (text: string, { decimal, inSheet }: Spelling): boolean =>
  inSheet && decimal === 'comma' && /^\d{1,3}\.\d{3}$/.test(text);

const eitherNumber =
  'It could be thousands, or a number with three decimals. Enter it as a number with at most two decimals.';

/** The number as plain decimal text (`1234.5`), or undefined when it is none by this spelling. */
const decimalText = (text: string, spelling: Spelling): string | undefined => {
  const { decimal, inSheet } = spelling;
  if (isEitherNumber(text, spelling)) return undefined;
  // A cell that is a number has a point, whatever the account writes in texts.
  if (inSheet && decimal === 'comma' && /^\d+\.\d+$/.test(text)) return text;
  if (decimal === undefined) return /^\d+(?:\.\d+)?$|^\.\d+$/.test(text) ? text : undefined;
  const [point, group] = decimal === 'comma' ? [',', '.'] : ['.', ','];
  const [whole = '', part, ...rest] = text.split(point);
  if (rest.length > 0 || (part !== undefined && !/^\d+$/.test(part))) return undefined;
  const groups = whole.split(group);
  const grouped = groups.length > 1;
  const good = grouped
    ? /^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((digits) => /^\d{3}$/.test(digits))
    : /^\d+$/.test(whole);
  return good ? `${groups.join('')}${part === undefined ? '' : `.${part}`}` : undefined;
};

const quantityRule = (options: IntakeOptions, inSheet: boolean): FieldRule => {
  const spelling = { decimal: options.decimal, inSheet };
  const schema = itemFields.quantity;
  const expected = 'a whole number above zero';
  return (text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) {
      const quantity = Number(text);
      if (quantity <= options.maxQuantity) return quantity;
    }
    // 2.0 and 2.00 can only be 2; 2.000 may be two thousand unless the account says what its point means.
    const plain =
      options.decimal === undefined
        ? (/^(\d+)[.,]0{1,2}$/.exec(text)?.[1] ?? text)
        : decimalText(text, spelling);
    const whole = plain === undefined ? undefined : /^\+?(\d+)(?:\.0+)?$/.exec(plain)?.[1];
    if (whole === undefined || (options.decimal === undefined && !/^\+?\d+$/.test(plain!))) {
      return refuse(
        'not_a_whole_number',
        isEitherNumber(text, spelling)
          ? eitherNumber
          : /^\d{1,3}[.,]000$/.test(text)
            ? 'It could be a small number with decimals or thousands; say which in the account (intake.decimal).'
            : 'It is not a whole number above zero.',
        expected,
      );
    }
    const quantity = Number(whole);
    const refusal = askContract(schema, quantity);
    if (refusal)
      return {
        ...refusal,
        refused: 'not_a_whole_number',
        message: 'It is not a whole number above zero.',
        expected,
      };
    if (quantity > options.maxQuantity) {
      return refuse(
        'quantity_too_large',
        `It is more than ${options.maxQuantity}, the largest quantity that this account takes (intake.maxQuantity).`,
        `at most ${options.maxQuantity}`,
      );
    }
    return quantity;
  };
};

const priceRule =
  (options: IntakeOptions, inSheet: boolean): FieldRule =>
  (text) => {
    const spelling = { decimal: options.decimal, inSheet };
    const bare = text.replace(/^[$€£]\s*|\s*[$€£]$/g, '');
    if (isEitherNumber(bare, spelling)) return refuse('not_a_price', eitherNumber, 'a price such as 12,50');
    const number = decimalText(bare, spelling);
    // Twelve digits before the point are more than any price and fit every sum.
    if (number !== undefined && /^\d{0,12}(?:\.\d{1,6})?$/.test(number))
      return number.startsWith('.') ? `0${number}` : number;
    return refuse('not_a_price', 'It is not a price.', 'a price such as 12.50');
  };

const lastFourRule =
  (schema: z.ZodType): FieldRule =>
  (text) =>
    /^\d{1,4}$/.test(text)
      ? (askContract(schema, Number(text)) ?? text.padStart(4, '0'))
      : refuse('not_four_digits', 'It is not the last four digits of a card.', 'four digits');

const poNumberRule =
  (options: IntakeOptions): FieldRule =>
  (text) => {
    const why = whyPoNumberIsUnusable(text);
    const tooLong = text.length > options.poNumberMaxLength && [...text].length > options.poNumberMaxLength;
    const expected = `a PO number of at most ${options.poNumberMaxLength} characters`;
    if (why !== undefined) return refuse('po_number_unusable', `It cannot be a PO number: ${why}.`, expected);
    if (tooLong) {
      return refuse(
        'po_number_unusable',
        `It is longer than ${options.poNumberMaxLength} characters.`,
        expected,
      );
    }
    return askContract(poNumber, text) ?? text;
  };

/**
 * The rules of the contract as quick checks. What a shortcut accepts the contract accepts too (a test holds
 * them equal); what no shortcut accepts is the contract's to judge.
 */
export const compileRules = (
  options: IntakeOptions,
  lists: CodeLists,
  inSheet: boolean,
): Record<FieldName, FieldRule> => {
  const schemas: Partial<Record<FieldName, z.ZodType>> = { ...itemFields, ...cartOptionFields(lists) };
  const ruleOf = (name: FieldName): FieldRule => {
    if (name === 'po_number') return poNumberRule(options);
    if (name === 'expected_price') return priceRule(options, inSheet);
    const schema = schemas[name]!;
    switch (fields[name].kind) {
      case 'code':
        return codeRule(schema);
      case 'flag':
        return flagRule(options);
      case 'quantity':
        return quantityRule(options, inSheet);
      case 'last_four':
        return lastFourRule(schema);
      default:
        return textRule(schema, fields[name].kind === 'identifier');
    }
  };
  return Object.fromEntries(fieldNames.map((name) => [name, ruleOf(name)])) as Record<FieldName, FieldRule>;
};
