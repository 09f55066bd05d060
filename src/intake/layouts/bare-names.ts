import { FileRefused } from '../../errors.ts';
import { sayField } from '../columns/field-words.ts';
import { bareFieldOf, headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import { listed, quoted } from '../quoted.ts';
import type { DetectedColumn } from '../types.ts';

const mostNamed = 5;

/**
 * Bare names such as `City` or `Hold` are neither read nor ignored until a person decides. If read, a customer's address could become the
 * shipping address; if ignored, the goods would go to the account's own address.
 *
 * @throws FileRefused `columns_uncertain`
 */
export const refuseBareNames = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns'>,
): void => {
  const decided = new Set(Object.keys(options.columns).map(headerKey));
  const bare = columns.flatMap(({ header, field }) => {
    const meant = bareFieldOf(header);
    return field === null && meant !== undefined && !decided.has(headerKey(header))
      ? [{ header, meant }]
      : [];
  });
  if (bare.length === 0) return;
  const named = bare.map(({ header, meant }) => `${quoted(header)} (${sayField(meant)}?)`);
  throw new FileRefused(
    'columns_uncertain',
    `${bare.length === 1 ? 'A column could say' : 'Columns could say'} where or how the order is to be sent, and nobody has said which of them do: ${listed(named, mostNamed)}. Say what each of them holds.`,
  );
};
