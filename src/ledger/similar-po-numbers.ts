import type pg from 'pg';

// What may be one number in several spellings within a file: PO-4711, PO 4711, #4711, 4711, 04711, 4711.0. Signs between its parts count
// as one sign. Other files are not looked at: there such numbers have always been different POs.
const spelling = (key: string) => `regexp_replace(replace(translate(
  case when ${key} like '%.0' or ${key} like '%.00' then regexp_replace(${key}, '\\.00?$', '') else ${key} end,
  ' _./#', '-----'), '--', '-'), '^-?(?:p-?o(?![a-z])-*)?0*(?=.)', '')`;

const similarSql = `
  with spelled as materialized (
    select po_number, po_key, first_row, ${spelling('po_key')} as spelling from staged),
  twice as materialized (
    select spelling from spelled group by spelling having min(po_key collate "C") <> max(po_key collate "C")),
  several as (
    select spelling, (array_agg(format('%s (row %s)', left(po_number, 60), first_row) order by first_row))[1:5] as names
    from spelled join twice using (spelling) where spelling ~ '[^-]' group by spelling)
  update staged s
  set outcome = 'held', code = 'similar_po',
    reason = format('This file has PO numbers that may be one PO in several spellings: %s. Release them if they are different POs; otherwise cancel them, write the number the same way in all its rows, and send the file again.',
      array_to_string(several.names, ', '))
  from spelled join several using (spelling)
  where s.po_number = spelled.po_number and s.outcome is null`;

/**
 * Holds the staged POs of a file whose numbers may be one number in several spellings.
 * @see docs/decisions/057-spellings-of-a-po-number.md
 */
export const holdSimilar = async (client: pg.PoolClient): Promise<void> => {
  await client.query(similarSql);
};
