import { beginsWith } from '../console/sql-parts.ts';

type Bind = (value: unknown) => string;

/** People copy tracking numbers with spaces or hyphens, in lower case. */
export const withoutGaps = (text: string): string => text.replace(/[\s-]+/g, '').toUpperCase() || text;

/** One kind of order number that can begin with a text. */
interface Numbering {
  /** SQL that its index serves. */
  condition: string;
  /** SQL: the number, as its index sorts it. */
  number?: string;
}

/** SQL: for each kind of order number, the condition that it begins with the text. */
export const numberings = (given: string, plain: string): Numbering[] => {
  const begins = (number: string, text: string, more = ''): Numbering => ({
    condition: `${more}${beginsWith(number, `lower(${text})`)}`,
    number,
  });
  const first = 'lower(o.tracking_numbers[1])';
  const tracked = `o.tracking_numbers <> '{}' and `;
  return [
    begins('lower(o.order_number)', given),
    begins('lower(o.po_number)', given),
    begins('lower(o.invoice_number)', given, 'o.invoice_number is not null and '),
    begins(first, given, tracked),
    begins(first, plain, tracked),
    { condition: `${tracked}o.tracking_numbers && array[${given}, ${plain}]` },
  ];
};

/** SQL: the ctids of at most `most` orders with a number that begins with this text, for use within one statement. */
export const ordersNumbered = (q: string, most: number, bind: Bind): string =>
  `select ctid from (${numberings(`${bind(q)}::text`, `${bind(withoutGaps(q))}::text`)
    .map(({ condition }) => `(select o.ctid from orders o where ${condition} limit ${most})`)
    .join(' union ')}) numbered limit ${most}`;

/**
 * SQL: one of the order's numbers begins with the text. Deliberately not indexable: so many match that a scan soon meets the first ones,
 * while reading all matches per account takes seconds.
 */
export const isNumbered = (q: string, bind: Bind): string => {
  const [given, plain] = [`${bind(q)}::text`, `${bind(withoutGaps(q))}::text`];
  const begins = (number: string, text: string) => `position(lower(${text}) in lower(${number})) = 1`;
  return `(${begins('o.order_number', given)} or ${begins('o.po_number', given)} or ${begins(`coalesce(o.invoice_number, '')`, given)}
    or ${begins(`coalesce(o.tracking_numbers[1], '')`, given)} or ${begins(`coalesce(o.tracking_numbers[1], '')`, plain)}
    or o.tracking_numbers && array[${given}, ${plain}])`;
};
