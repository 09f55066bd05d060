import { FileRefused } from '../../errors.ts';
import { cartOptionNames, type FieldName, fields } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { CartOptionValues } from '../types.ts';
import { cleanCell } from './clean-cell.ts';
import { type FieldRule, isRefusal } from './compile-rules.ts';
import { whyUnseen } from './unseen-characters.ts';

type Constants = Pick<IntakeOptions, 'constants'>;
type Values = Record<FieldName, string | number | boolean>;

/** Constants as values for the service, and those that break a rule, each with the reason. Pure. */
export const readConstants = ({ constants }: Constants, rules: Record<FieldName, FieldRule>) => {
  const values = {} as Values;
  const wrong: { field: FieldName; constant: Values[FieldName]; message: string }[] = [];
  for (const [field, constant] of Object.entries(constants) as [FieldName, Values[FieldName]][]) {
    const text = String(constant);
    const kept = whyUnseen(text, field) ?? rules[field](cleanCell(text, fields[field].kind).text);
    if (isRefusal(kept)) wrong.push({ field, constant, message: kept.message });
    else values[field] = kept;
  }
  return { values, wrong };
};

/** The account's constants as values for the service. @throws FileRefused `bad_constant` */
export const checkConstants = (options: Constants, rules: Record<FieldName, FieldRule>): Values => {
  const { values, wrong } = readConstants(options, rules);
  const [first] = wrong;
  if (first === undefined) return values;
  throw new FileRefused(
    'bad_constant',
    `The account's setting intake.constants has an invalid value for ${first.field}: ${JSON.stringify(first.constant)}. ${first.message} Correct the configuration and send the file again.`,
  );
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
