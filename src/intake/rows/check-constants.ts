import { FileRefused } from '../../errors.ts';
import { cartOptionNames, type FieldName, fields } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { CartOptionValues } from '../types.ts';
import { cleanCell } from './clean-cell.ts';
import { type FieldRule, isRefusal } from './compile-rules.ts';
import { whyUnseen } from './unseen-characters.ts';

/** The account's constants as values for the service. @throws FileRefused `bad_constant` */
export const checkConstants = (options: IntakeOptions, rules: Record<FieldName, FieldRule>) => {
  const values = {} as Record<FieldName, string | number | boolean>;
  for (const [field, constant] of Object.entries(options.constants) as [
    FieldName,
    string | number | boolean,
  ][]) {
    const text = String(constant);
    const kept = whyUnseen(text, field) ?? rules[field](cleanCell(text, fields[field].kind).text);
    if (isRefusal(kept)) {
      throw new FileRefused(
        'bad_constant',
        `The account's setting intake.constants has an invalid value for ${field}: ${JSON.stringify(constant)}. ${kept.message} Correct the configuration and send the file again.`,
      );
    }
    values[field] = kept;
  }
  return values;
};

/** How `CheckedRow.filled` names the fields of a line. */
export const filledLetters: Partial<Record<FieldName, string>> = {
  item_sku: 's',
  item_id: 'i',
  quantity: 'q',
  note: 'n',
  expected_price: 'p',
};

/**
 * The options that every PO of a file has unless its rows say otherwise: constants, and `false` for the flags in `blankMeansNo` whose
 * column the file has. Pure.
 */
export const optionDefaultsOf = (
  constants: ReturnType<typeof checkConstants>,
  { blankMeansNo }: Pick<IntakeOptions, 'blankMeansNo'>,
  hasColumn: (name: FieldName) => boolean,
): CartOptionValues => {
  const defaults: CartOptionValues = {};
  for (const name of cartOptionNames) {
    const value = constants[name] ?? (blankMeansNo.includes(name) && hasColumn(name) ? false : undefined);
    if (value !== undefined) defaults[name] = value as string | boolean;
  }
  return defaults;
};
