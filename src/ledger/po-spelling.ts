import { poNumbers } from '../intake/layouts/shapes.ts';

/** Signs that people write around the parts of a number and between them, besides the hyphen. */
const signs = ` _./#:;,"*()?!~&+=<>|@{}$%^’·[]\\''`;
/** The same in a bracket of a regular expression, of which `]` has to be the first. */
const within = `][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\\\''`;
const sign = `[${within}]`;
const joint = `[${within}-]`;
const letter = `[^${within}0-9-]`;
const letterOrHyphen = `[^${within}0-9]`;

/** What does not tell two numbers apart: PO, Order, No. and zeros in front, a hyphen at the end. */
const edges = `'^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$'`;

/**
 * SQL: what keys share that may be one number in several spellings: PO-4711, Order No. 4711, #4711, (4711), 4711-, 04711, 4711.0. Signs between
 * its parts count as one sign.
 */
export const spelling = (key: string) => `regexp_replace(replace(replace(translate(
  case when ${key} like '%.0' or ${key} like '%.00' then regexp_replace(${key}, '\\.00?$', '') else ${key} end,
  '${signs}', '${'-'.repeat(signs.length - 1)}'), '--', '-'), '--', '-'), ${edges}, '', 'g')`;

/** SQL: the key is perhaps not its own spelling; the condition of the index by spellings. */
export const hasSpelling = (key: string) => `${key} ~ '^[-0pno]|${sign}|--|-$'`;

/**
 * SQL: the spelling of the number in a key without what is written beside it: 4711 of Auftrag 4711, 4711 rush, 4711-copy, 4711 (2) and 4711/A. A code
 * that a hyphen joins to the front (NYC-4711) is a part of it. Null without a digit.
 */
export const plainNumber = (key: string) => `regexp_replace(substring(
  regexp_replace(${key}, '^${sign}*(?:${letterOrHyphen}+${sign}+)*(?=.*[0-9])', ''),
  '^(?:${letterOrHyphen}*-)?[^${within}-]*[0-9][^${within}-]*'), ${edges}, '', 'g')`;

/** SQL: something may be written beside the number; the condition of the index by plain numbers. */
export const hasBeside = (key: string) => `${key} ~ '[0-9].*${joint}.|${letterOrHyphen}${sign}.*[0-9]'`;

/** SQL: the spelling of a key without the signs between digits, which people and programs write in large numbers: 4501005 of 4.501.005 and PO 450 1005. */
export const ungrouped = (key: string) => `regexp_replace(${spelling(key)}, '(?<=[0-9])-(?=[0-9])', '', 'g')`;

/**
 * SQL: whether keys that are one number without the signs between their digits may be one: not if both have the same signs there, as 12-3 and 1-23,
 * which are then parts of a number.
 */
export const groupsOtherwise = (one: string, other: string) => {
  const signsOf = (key: string) => `regexp_replace(${key}, '[0-9]+', '0', 'g')`;
  return `${signsOf(one)} <> ${signsOf(other)}`;
};

/** SQL: there may be signs between the digits; the condition of the index by ungrouped numbers. */
export const hasGroups = (key: string) => `${key} ~ '[0-9]${joint}+[0-9]'`;

/** SQL: what is said of a row is said of its PO number. @param columnNames the headers of the file by field, as JSON */
export const isAboutNumber = (r: string, columnNames: string): string =>
  `(${r}.question like '${poNumbers}%' or ${r}.column_name = coalesce(${columnNames} ->> 'po_number', 'po_number'))`;

/** Names are longer than numbers, but have few words. */
const mostWords = 8;

/**
 * SQL: a row (`number`) for each few words beside each other of a key that has more of them: jones, miller kitchen and others of "cancel miller
 * kitchen, jones". From an array, of which Postgres expects few rows, so that it does not read the whole account for a small file; most keys have one word, and cost nothing.
 */
export const wordsWithin = (key: string) => `unnest(case when ${key} ~ '[ _]' then array(
  select distinct trim(array_to_string(w.words[i:j], ' '), '${signs}-')
  from (select regexp_split_to_array(${key}, '[ _]+') as words) w
  cross join lateral generate_series(1, cardinality(w.words)) i
  cross join lateral generate_series(i, least(cardinality(w.words), i + cardinality(w.words) - 2)) j
  where cardinality(w.words) between 2 and ${mostWords}) end)`;

/**
 * SQL: a row for each number that a key may be about when it takes something back: itself without words (4711-void, CANCELLED-4711,
 * HOLD4711), each of its parts with a digit (4711 do not ship, 4711 replaced by 4799), and the words within it.
 */
const numbersIn = (key: string) => `(
  select trim(n.number, '${signs}-') as number
  from regexp_replace(${key}, '(?:^|${joint}+)${letter}{3,}(?=$|${joint})|^${letter}{2,}(?=[0-9])|${letter}{4,}$', ' ', 'g') w
  cross join lateral (select w union select split_part(ltrim(w), ' ', 1)) n(number) union
  select part from regexp_split_to_table(${key}, '${sign}+') part where part ~ '[0-9]' union
  select number from ${wordsWithin(key)} number)`;

/**
 * SQL: the POs of an account (`id`) of which the number is one with these keys (`key`), perhaps in another spelling. Joins with one condition each
 * let Postgres read the account once for a large file.
 * @param keys SQL: each `key`, and whether it says itself what is said (`is_of_number`) and may be about another number that is a part of it
 */
export const posSpelledAs = (account: string, keys: string): string => `(
  with asked as materialized (${keys}),
  n as (
    select key, key as number from asked union
    select a.key, p.number from asked a cross join lateral ${numbersIn('a.key')} p where a.is_of_number and p.number <> ''),
  spelled as materialized (
    select key, number, ${spelling('number')} as spelling, number as written from n union
    select key, ${ungrouped('number')}, ${ungrouped('number')}, number from n where ${hasGroups('number')})
  select s.key, k.id from spelled s join purchase_orders k on k.po_key = s.number where k.account = ${account}
  union
  select s.key, k.id from spelled s join purchase_orders k on k.po_key = s.spelling where k.account = ${account}
  union
  select s.key, k.id from spelled s join purchase_orders k on ${spelling('k.po_key')} = s.spelling and ${hasSpelling('k.po_key')}
  where k.account = ${account}
  union
  select s.key, k.id from spelled s join purchase_orders k on ${ungrouped('k.po_key')} = s.spelling and ${hasGroups('k.po_key')}
  where k.account = ${account} and ${groupsOtherwise('k.po_key', 's.written')})`;

/** SQL: the numbers that a key may be about (`number`), if it is more than one of them alone, and how they may be spelled (`spelling`). */
export const spellingsBeside = (key: string): string => `(
  select n.number, unnest(array[${spelling('n.number')}, ${ungrouped('n.number')}]) as spelling from ${numbersIn(key)} n where n.number not in ('', ${key}))`;
