import type pg from 'pg';
import { execute } from './query.ts';

// What may be one number in several spellings within a file: PO-4711, PO 4711, #4711, 4711, 04711, 4711.0. Signs between its parts count
// as one sign. Other files are not looked at: a dealer who has both 100 and 0100 would be asked again with
// each file.
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

// How the rows of each PO write its number, of those POs of which a row writes it with characters that look like others.
const written = `
  with written as (
    select po_number, count(distinct coalesce(po_written, po_number)) as ways, max(po_written) as written,
      min(row_number) filter (where po_written is not null) as odd_row,
      min(row_number) filter (where coalesce(po_written, po_number) <> odd) as other_row
    from (
      select l.po_number, l.po_written, l.row_number,
        first_value(l.po_written) over (partition by l.po_number order by l.po_written is null, l.row_number) as odd
      from lines l where l.import_id = $1 and l.po_number in (
        select o.po_number from lines o where o.import_id = $1 and o.po_written is not null)) those
    group by po_number)`;

/** Notes how the numbers of staged POs are written whose rows all write it with characters that look like others. */
export const noteWritten = (client: pg.PoolClient, importId: string): Promise<void> =>
  execute(
    client,
    `${written} update staged s set po_written = w.written from written w where w.po_number = s.po_number and w.ways = 1`,
    [importId],
  );

/**
 * Holds staged POs whose rows are joined only because we clean their numbers: full-width characters, spaces of other kinds, characters
 * that cannot be seen. What an earlier file has already is left to it.
 */
export const holdLookalikes = (client: pg.PoolClient, importId: string): Promise<void> =>
  execute(
    client,
    `${written} update staged s set outcome = 'held', code = 'similar_po',
       reason = format('The rows of PO %s write its number with different characters, which look the same or cannot be seen: row %s with others than row %s. Release it if it is one PO; otherwise cancel it, type the numbers again, and send the file again.',
         s.po_number, w.odd_row, w.other_row)
     from written w where w.po_number = s.po_number and w.ways > 1 and s.outcome is null`,
    [importId],
  );

/** Holds the staged POs of a file whose numbers may be one number in several spellings. What an earlier file has already is left to it. */
export const holdSimilar = (client: pg.PoolClient): Promise<void> => execute(client, similarSql);
