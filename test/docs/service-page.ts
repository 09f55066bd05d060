import { z } from 'zod';
import { cartRequest, specCodeLists } from '../../src/contract/carts.ts';
import { itemFields } from '../../src/contract/items.ts';
import { serviceConfigOf, serviceConfigSchema } from '../../src/service/config.ts';
import { clockChange } from '../../src/service/control/control-schemas.ts';
import { seedSchema } from '../../src/service/control/seeds.ts';
import { faultRule } from '../../src/service/fault-rules.ts';
import { problemKinds } from '../../src/service/problems.ts';
import { fillGenerated, markdownTable } from './generated.ts';

const code = (value: unknown): string =>
  value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;

const choicesOf = (schema: z.ZodType): string => {
  const { options } = ('unwrap' in schema ? (schema as z.ZodDefault).unwrap() : schema) as {
    options?: unknown;
  };
  const texts = Array.isArray(options) ? options.filter((option) => typeof option === 'string') : [];
  return texts.length > 0 && texts.length < 10 ? ` One of ${texts.map(code).join(', ')}.` : '';
};

/** Settings by name, with default and meaning. */
const settingsOf = (shape: Record<string, z.ZodType>, defaults: Record<string, unknown>): string =>
  markdownTable(
    ['name', 'default', 'meaning'],
    Object.entries(shape).map(([name, schema]) =>
      [code(name), code(defaults[name]), `${schema.description}${choicesOf(schema)}`].map((cell) =>
        cell.replaceAll('|', '\\|'),
      ),
    ),
  );

const typeOf = (field: z.ZodType): string => {
  const { type, enum: values, minLength, maxLength } = z.toJSONSchema(field);
  if (values) return `one of ${values.map(code).join(', ')}`;
  if (maxLength === undefined) return String(type);
  return minLength === maxLength ? `${type}, exactly ${maxLength}` : `${type}, at most ${maxLength}`;
};

/** The fields of a request, with lengths and meaning. */
const fieldsOf = (shape: Record<string, z.ZodType>): string =>
  markdownTable(
    ['field', 'type', 'meaning'],
    Object.entries(shape).map(([name, field]) => [
      code(name),
      typeOf(field),
      field.description ?? field.meta()?.description ?? '',
    ]),
  );

const unwrapped = (shape: Record<string, z.ZodType>): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      field instanceof z.ZodOptional ? (field.unwrap() as z.ZodType) : field,
    ]),
  );

/** Fields by name, with their meaning. */
const meaningsOf = (shape: Record<string, z.ZodType>): string =>
  markdownTable(
    ['field', 'meaning'],
    Object.entries(shape)
      .filter(([, field]) => field.description !== undefined)
      .map(([name, field]) => [code(name), field.description!]),
  );

const seedShape = () => {
  const { shape } = seedSchema(specCodeLists, serviceConfigOf(serviceConfigSchema.parse({})).maxQuantity);
  const { po_number, dealer, items, ordered, status, order_date } = shape;
  return { po_number, dealer, items, ordered, status, order_date };
};

const problems = (): string =>
  markdownTable(
    ['status', 'code', 'meaning'],
    Object.entries(problemKinds).map(([name, [status, title]]) => [String(status), code(name), title]),
  );

/** docs/service.md with its generated parts updated. */
export const renderServicePage = (page: string): string => {
  const { kind: _, ...faultDefaults } = faultRule.parse({ kind: 'delay' });
  return fillGenerated(page, {
    'cart fields': fieldsOf(unwrapped(cartRequest().shape)),
    'item fields': fieldsOf(itemFields),
    problems: problems(),
    settings: settingsOf(serviceConfigSchema.shape, serviceConfigSchema.parse({})),
    'seed fields': meaningsOf(seedShape()),
    'clock fields': meaningsOf(clockChange.shape),
    'fault fields': settingsOf(faultRule.shape, faultDefaults),
  });
};
