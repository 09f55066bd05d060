import { z } from 'zod';
import {
  type CodeLists,
  cartOptionFields,
  maxPoNumberLength,
  poNumber,
  whyPoNumberIsUnusable,
} from '../../contract/carts.ts';
import { itemFields } from '../../contract/items.ts';
import { type FieldName, fieldNames, fields } from '../columns/fields.ts';
import { type IntakeOptions, maxQuantity } from '../options.ts';
import { codeInBrackets } from './item-codes.ts';
import {
  decimalText,
  eitherNumber,
  isEitherNumber,
  thousandsApart,
  thousandsOrDecimals,
} from './number-text.ts';
import { withoutPieces } from './piece-count.ts';
import { createStateCodes } from './state-names.ts';

/** Why a value was refused. */
export interface Refusal {
  refused: string;
  /** One sentence that says what is wrong. */
  message: string;
  expected: string;
}

export const isRefusal = (value: unknown): value is Refusal => typeof value === 'object';

/** Turns cleaned, non-blank text into the value for the service, or into a refusal. */
export type FieldRule = (text: string) => string | number | boolean | Refusal;

export const refuse = (refused: string, message: string, expected: string): Refusal => ({
  refused,
  message,
  expected,
});

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;
const asciiText = /^[ -~]*$/;

/** Checks a value by its schema of the contract, and describes what is wrong. */
const askContract = (schema: z.ZodType, value: unknown): Refusal | undefined => {
  const answer = schema.safeParse(value);
  if (answer.success) return undefined;
  const issue = answer.error.issues[0]!;
  const rule = (issue as { params?: { rule?: string } }).params?.rule;
  const expected = issue.code === 'invalid_value' ? `one of ${issue.values.join(', ')}` : issue.message;
  return refuse(rule ?? issue.code, `The value must be ${expected}.`, expected);
};

/** Text fields. ASCII of the right length is accepted at once; the contract's schema checks everything else. */
const textRule = (schema: z.ZodType, oneLine: boolean): FieldRule => {
  const { minLength = 1, maxLength = 200 } = (schema.meta() ?? {}) as {
    minLength?: number;
    maxLength?: number;
  };
  return (text) => {
    if (text.length >= minLength && text.length <= maxLength && asciiText.test(text)) return text;
    if (control.test(text)) {
      const message = 'The value contains a control character.';
      return refuse('control_character', message, 'text without control characters');
    }
    if (oneLine && /[\n\r]/.test(text))
      return refuse('line_break', 'The value contains a line break.', 'text on one line');
    return askContract(schema, text) ?? text;
  };
};

const codeRule = (schema: z.ZodType): FieldRule => {
  const values = schema instanceof z.ZodEnum ? (schema.options as string[]) : [];
  const byKey = new Map(values.map((value) => [value.toLowerCase(), value]));
  return (text) => byKey.get(text.toLowerCase()) ?? askContract(schema, text) ?? text;
};

const yes = new Set('yes|y|true|1|x|ja|j|oui|sí|si|sì|sim|wahr|vrai'.split('|'));
const no = new Set('no|n|false|0|nein|non|não|falsch|faux'.split('|'));

const flagRule: FieldRule = (text) => {
  const word = text.toLowerCase();
  if (yes.has(word)) return true;
  if (no.has(word)) return false;
  return refuse('not_yes_or_no', 'The value is neither yes nor no.', 'yes or no, or blank');
};

const notWhole = 'Quantity must be a whole number of at least 1.';

const quantityRule = (options: IntakeOptions, inSheet: boolean): FieldRule => {
  const spelling = { decimal: options.decimal, inSheet };
  const schema = itemFields.quantity;
  const expected = 'a whole number of at least 1';
  return (cell) => {
    if (/^[1-9]\d{0,8}$/.test(cell)) {
      const quantity = Number(cell);
      if (quantity <= maxQuantity) return quantity;
    }
    const text = withoutPieces(cell) ?? cell;
    // 2.0, 2.00 and 2.0000 can only mean 2; 2.000 may mean two thousand unless the account sets intake.decimal.
    const plain =
      options.decimal === undefined
        ? (/^(\d+)[.,](?:0{1,2}|0{4,8})$/.exec(text)?.[1] ?? text)
        : decimalText(text, spelling);
    const whole = plain === undefined ? undefined : /^\+?(\d+)(?:\.0+)?$/.exec(plain)?.[1];
    if (whole === undefined || (options.decimal === undefined && !/^\+?\d+$/.test(plain!))) {
      return refuse(
        'not_a_whole_number',
        isEitherNumber(text, spelling)
          ? eitherNumber
          : (thousandsOrDecimals(text, spelling) ?? thousandsApart(text, spelling) ?? notWhole),
        expected,
      );
    }
    const quantity = Number(whole);
    if (askContract(schema, quantity)) return refuse('not_a_whole_number', notWhole, expected);
    if (quantity > maxQuantity) {
      return refuse(
        'quantity_too_large',
        `The quantity is larger than ${maxQuantity}, the most that a line may have: it probably comes from another column.`,
        `at most ${maxQuantity}`,
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
    // Twelve digits before the point are enough for any price, and sums do not overflow.
    if (number !== undefined && /^\d{0,12}(?:\.\d{1,6})?$/.test(number))
      return number.startsWith('.') ? `0${number}` : number;
    return refuse('not_a_price', 'The value is not a price.', 'a price such as 12.50');
  };

const stateRule = (schema: z.ZodType, options: IntakeOptions): FieldRule => {
  const rule = textRule(schema, false);
  const codeOf = createStateCodes(options);
  return (text) => {
    const { code, advised } = codeOf(text);
    if (advised === undefined) return rule(code);
    const message = `Enter the code of the state (${advised}), or set intake.stateNames: convert.`;
    return refuse('state_name', message, 'at most 2 characters');
  };
};

const lastFourRule =
  (schema: z.ZodType): FieldRule =>
  (text) =>
    /^\d{1,4}$/.test(text)
      ? (askContract(schema, Number(text)) ?? text.padStart(4, '0'))
      : refuse('not_four_digits', 'The value is not the last four digits of a card.', 'four digits');

const itemRule =
  (rule: FieldRule, { itemInBrackets }: Pick<IntakeOptions, 'itemInBrackets'>): FieldRule =>
  (text) => {
    const code = text.startsWith('[') ? codeInBrackets(text) : undefined;
    if (code === undefined) return rule(text);
    if (itemInBrackets) return rule(code);
    const message = `The cell has an item number in brackets and a name. Set intake.itemInBrackets: true to order ${code}, or remove the name.`;
    return refuse('item_with_name', message, code);
  };

export const poNumberRule: FieldRule = (text) => {
  const why = whyPoNumberIsUnusable(text);
  const expected = `a PO number of at most ${maxPoNumberLength} characters`;
  if (why !== undefined)
    return refuse('po_number_unusable', `The PO number cannot be used, because ${why}.`, expected);
  return askContract(poNumber, text) ?? text;
};

/**
 * The rules of the contract as fast checks, because zod is too slow for a million rows. The contract accepts everything that
 * a shortcut accepts (a test compares them); its schema checks everything else.
 */
export const compileRules = (
  options: IntakeOptions,
  lists: CodeLists,
  inSheet: boolean,
): Record<FieldName, FieldRule> => {
  const schemas: Partial<Record<FieldName, z.ZodType>> = { ...itemFields, ...cartOptionFields(lists) };
  const ruleOf = (name: FieldName): FieldRule => {
    if (name === 'po_number') return poNumberRule;
    if (name === 'ship_state') return stateRule(schemas.ship_state!, options);
    if (name === 'expected_price') return priceRule(options, inSheet);
    const schema = schemas[name]!;
    if (name === 'item_sku') return itemRule(textRule(schema, true), options);
    switch (fields[name].kind) {
      case 'code':
        return codeRule(schema);
      case 'flag':
        return flagRule;
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
