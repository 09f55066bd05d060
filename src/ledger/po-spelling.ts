import { poNumbers } from '../intake/layouts/shapes.ts';

/** Characters that people write around and between the parts of a number, besides the hyphen. */
const signs = ` _./#:;,"*()?!~&+=<>|@{}$%^’·[]\\''`;
/** The same inside a bracket expression, where `]` must come first. */
const within = `][ _./#:;,"*()?!~&+=<>|@{}$%^’·\\\\''`;
const sign = `[${within}]`;
const joint = `[${within}-]`;
const letter = `[^${within}0-9-]`;
const letterOrHyphen = `[^${within}0-9]`;

/** Parts that do not distinguish numbers: leading PO, Order, No. and zeros, and a trailing hyphen. */
const edges = `'^-?(?:(?:p-?o|order)(?![a-z])-*)?(?:n[or](?![a-z])-*)?0*(?=.)|-+$'`;

/**
 * SQL: the normal form shared by spellings of one number: PO-4711, Order No. 4711, #4711, (4711), 4711-, 04711, 4711.0. All separators
 * between parts count as the same one.
 */
export const spelling = (key: string) => `regexp_replace(replace(replace(translate(
  case when ${key} like '%.0' or ${key} like '%.00' then regexp_replace(${key}, '\\.00?$', '') else ${key} end,
  '${signs}', '${'-'.repeat(signs.length - 1)}'), '--', '-'), '--', '-'), ${edges}, '', 'g')`;

/** SQL: the key may differ from its spelling; the condition of the partial index by spelling. */
export const hasSpelling = (key: string) => `${key} ~ '^[-0pno]|${sign}|--|-$'`;

/**
 * SQL: the spelling of the number in a key without additions: 4711 of Auftrag 4711, 4711 rush, 4711-copy, 4711 (2) and 4711/A. A code that
 * a hyphen joins to the front (NYC-4711) is a part of it. Null without a digit.
 */
export const plainNumber = (key: string) => `regexp_replace(substring(
  regexp_replace(${key}, '^${sign}*(?:${letterOrHyphen}+${sign}+)*(?=.*[0-9])', ''),
  '^(?:${letterOrHyphen}*-)?[^${within}-]*[0-9][^${within}-]*'), ${edges}, '', 'g')`;

/** SQL: the number may have additions; the condition of the partial index by plain number. */
export const hasBeside = (key: string) => `${key} ~ '[0-9].*${joint}.|${letterOrHyphen}${sign}.*[0-9]'`;

/** SQL: the spelling of a key without the signs between digits, which people and programs write in large numbers: 4501005 of 4.501.005 and PO 450 1005. */
export const ungrouped = (key: string) => `regexp_replace(${spelling(key)}, '(?<=[0-9])-(?=[0-9])', '', 'g')`;

/**
 * SQL: whether keys that are equal without separators between digits may be one number. Not if both use the same separators, as in 12-3 and
 * 1-23, where they separate parts.
 */
export const groupsOtherwise = (one: string, other: string) => {
  const signsOf = (key: string) => `regexp_replace(${key}, '[0-9]+', '0', 'g')`;
  return `${signsOf(one)} <> ${signsOf(other)}`;
};

/** SQL: the digits may have separators; the condition of the partial index by ungrouped number. */
export const hasGroups = (key: string) => `${key} ~ '[0-9]${joint}+[0-9]'`;

/** SQL: the row issue is about the PO number. @param columnNames the headers of the file by field, as JSON */
export const isAboutNumber = (r: string, columnNames: string): string =>
  `(${r}.question like '${poNumbers}%' or ${r}.column_name = coalesce(${columnNames} ->> 'po_number', 'po_number'))`;

/** Names are longer than numbers but have few words. */
const mostWords = 8;

/**
 * SQL: a row (`number`) for each short run of adjacent words in a longer key: jones, miller kitchen and others of "cancel miller kitchen,
 * jones". Unnested from an array, for which Postgres estimates few rows, so that it does not read the whole account for a small file. Most
 * keys have one word and cost nothing.
 */
export const wordsWithin = (key: string) => `unnest(case when ${key} ~ '[ _]' then array(
  select distinct trim(array_to_string(w.words[i:j], ' '), '${signs}-')
  from (select regexp_split_to_array(${key}, '[ _]+') as words) w
  cross join lateral generate_series(1, cardinality(w.words)) i
  cross join lateral generate_series(i, least(cardinality(w.words), i + cardinality(w.words) - 2)) j
  where cardinality(w.words) between 2 and ${mostWords}) end)`;

/**
 * SQL: a row for each number that a withdrawing key may refer to: the key without words (4711-void, CANCELLED-4711, HOLD4711), each part
 * with a digit (4711 do not ship, 4711 replaced by 4799), and runs of its words.
 */
const numbersIn = (key: string) => `(
  select trim(n.number, '${signs}-') as number
  from regexp_replace(${key}, '(?:^|${joint}+)${letter}{3,}(?=$|${joint})|^${letter}{2,}(?=[0-9])|${letter}{4,}$', ' ', 'g') w
  cross join lateral (select w union select split_part(ltrim(w), ' ', 1)) n(number) union
  select part from regexp_split_to_table(${key}, '${sign}+') part where part ~ '[0-9]' union
  select number from ${wordsWithin(key)} number)`;

/**
 * SQL: the POs of an account (`id`) whose number matches one of these keys (`key`), perhaps in another spelling. One join per condition
 * lets Postgres read the account once for a large file.
 * @param keys SQL: each `key`, and `is_of_number`: the issue is about the number itself, so it may refer to a number within it
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

/** SQL: the numbers that a key may refer to (`number`) besides being one itself, and their spellings (`spelling`). */
export const spellingsBeside = (key: string): string => `(
  select n.number, unnest(array[${spelling('n.number')}, ${ungrouped('n.number')}]) as spelling from ${numbersIn(key)} n where n.number not in ('', ${key}))`;
