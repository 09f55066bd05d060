import { z } from 'zod';
import { cartOptionFields, maxPoNumberLength } from '../contract/carts.ts';
import { itemFields } from '../contract/items.ts';
import { type FieldName, fields } from '../intake/columns/fields.ts';
import { maxQuantity } from '../intake/options.ts';
import type { CellRule } from '../reports/workbook/data-validations.ts';
import type { TemplateAccount } from './template-columns.ts';

/** The accepted values of a column's cells. */
export interface ColumnRule {
  /** `text` keeps leading zeros. */
  cells: 'text' | 'number';
  /** The texts of a drop-down. */
  choices?: readonly string[];
  rule?: Exclude<CellRule, { kind: 'list' }>;
  /** The accepted values in words, to follow "Enter". */
  allowed: string;
}

const textRule = (schema: z.ZodType): ColumnRule => {
  const { minLength = 1, maxLength } = (schema.meta() ?? {}) as { minLength?: number; maxLength?: number };
  if (maxLength === undefined) return { cells: 'text', allowed: 'any text' };
  const rule = { kind: 'length', from: minLength, to: maxLength } as const;
  const allowed =
    minLength === maxLength ? `exactly ${maxLength} characters` : `at most ${maxLength} characters`;
  return { cells: 'text', rule, allowed };
};

const choiceRule = (choices: readonly string[]): ColumnRule => ({
  cells: 'text',
  choices,
  allowed: `one of ${choices.join(', ')}`,
});

/** The values that the account accepts in a field's column, by the same contract as when its files are checked. Pure. */
export const columnRule = (field: FieldName, { codeLists }: TemplateAccount): ColumnRule => {
  if (field === 'po_number') {
    const to = maxPoNumberLength;
    return { cells: 'text', rule: { kind: 'length', from: 1, to }, allowed: `at most ${to} characters` };
  }
  if (field === 'quantity') {
    const to = maxQuantity;
    return {
      cells: 'number',
      rule: { kind: 'whole', from: 1, to },
      allowed: `a whole number from 1 to ${to}`,
    };
  }
  if (field === 'expected_price')
    return { cells: 'number', rule: { kind: 'decimal', from: 0 }, allowed: 'a price of 0 or more' };
  const schemas: Partial<Record<FieldName, z.ZodType>> = { ...itemFields, ...cartOptionFields(codeLists) };
  const schema = schemas[field]!;
  switch (fields[field].kind) {
    case 'flag':
      return choiceRule(['yes', 'no']);
    case 'last_four':
      return { cells: 'text', rule: { kind: 'length', from: 4, to: 4 }, allowed: 'four digits' };
    default:
      return schema instanceof z.ZodEnum ? choiceRule(schema.options as string[]) : textRule(schema);
  }
};
