import { beginsWith } from '../console/sql-parts.ts';

type Bind = (value: unknown) => string;

/** How people copy a tracking number: with spaces or hyphens, in small letters. */
export const withoutGaps = (text: string): string => text.replace(/[\s-]+/g, '').toUpperCase() || text;

/** Of fewer numbers than this, the orders are found first. */
export const fewNumbers = 2000;
/**
 * Of fewer numbers than this, all orders are found by their numbers and then sorted. Of more, the first ones are soon met in any order; of
 * fewer they may all lie at its end, such as a year's numbers among the latest orders.
 */
const manyNumbers = 150_000;

/** SQL: each way in which a number of an order begins with the text, for its index. */
export const numberings = (given: string, plain: string): string[] => {
  const text = `lower(${given})`;
  const first = 'lower(o.tracking_numbers[1])';
  return [
    beginsWith('lower(o.order_number)', text),
    beginsWith('lower(o.po_number)', text),
    `o.invoice_number is not null and ${beginsWith('lower(o.invoice_number)', text)}`,
    `o.tracking_numbers <> '{}' and ${beginsWith(first, text)}`,
    `o.tracking_numbers <> '{}' and ${beginsWith(first, `lower(${plain})`)}`,
    `o.tracking_numbers <> '{}' and o.tracking_numbers && array[${given}, ${plain}]`,
  ];
};

/** SQL: the ids of at most so many orders one of whose numbers begins with this text, each found by its index. */
export const ordersNumbered = (q: string, most: number, bind: Bind): string =>
  `select id from (${numberings(`${bind(q)}::text`, `${bind(withoutGaps(q))}::text`)
    .map((condition) => `(select o.id from orders o where ${condition} limit ${most})`)
    .join(' union ')}) numbered limit ${most}`;

/** SQL: how many orders are found by such a number, one that is found in two ways twice; `many`: there are `manyNumbers` or more. */
export const countNumbered = (q: string): { text: string; values: unknown[] } => ({
  text: `select count(*) >= ${manyNumbers} as many from (select from (${numberings('$1::text', '$2::text')
    .map((condition) => `select from orders o where ${condition}`)
    .join(' union all ')}) found limit ${manyNumbers}) numbered`,
  values: [q, withoutGaps(q)],
});

/**
 * SQL: one of the order's numbers begins with the text. Not as an index could find it: so many do that the first ones are soon met in any
 * order, and reading all of them for each account takes seconds.
 */
export const isNumbered = (q: string, bind: Bind): string => {
  const [given, plain] = [`${bind(q)}::text`, `${bind(withoutGaps(q))}::text`];
  const begins = (number: string, text: string) => `position(lower(${text}) in lower(${number})) = 1`;
  return `(${begins('o.order_number', given)} or ${begins('o.po_number', given)} or ${begins(`coalesce(o.invoice_number, '')`, given)}
    or ${begins(`coalesce(o.tracking_numbers[1], '')`, given)} or ${begins(`coalesce(o.tracking_numbers[1], '')`, plain)}
    or o.tracking_numbers && array[${given}, ${plain}])`;
};
