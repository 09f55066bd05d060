import { FileRefused } from '../../errors.ts';
import { type FieldName, fields } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import { cleanCell } from './clean-cell.ts';
import { type FieldRule, isRefusal } from './compile-rules.ts';

/** The account's constants as values for the service. @throws FileRefused `bad_constant` */
export const checkConstants = (options: IntakeOptions, rules: Record<FieldName, FieldRule>) => {
  const values = {} as Record<FieldName, string | number | boolean>;
  for (const [field, constant] of Object.entries(options.constants) as [
    FieldName,
    string | number | boolean,
  ][]) {
    const kept = rules[field](cleanCell(String(constant), fields[field].kind).text);
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
