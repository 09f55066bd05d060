import type pg from 'pg';

/**
 * SQL: the estimated size of a row with its indexes, in bytes. The table size says little about a table that is small or not analyzed yet,
 * so there the rows themselves are measured.
 */
export const rowBytes = (table: string): string =>
  `(select case when reltuples >= 10000 then pg_total_relation_size('${table}') / reltuples
      else coalesce((select avg(pg_column_size(t.*)) * 2 + 28 from (select * from ${table} limit 1000) t), 0) end
    from pg_class where oid = '${table}'::regclass)`;

/** The space that this many removed rows took, estimated from the table sizes before. */
export const sizeOf = async (
  pool: pg.Pool,
  tables: readonly string[],
): Promise<(table: string, n: number) => number> => {
  const { rows } = await pool.query<{ bytes: number[] }>(
    `select array[${tables.map((table) => `${rowBytes(table)}::float8`).join(', ')}] as bytes`,
  );
  return (table, n) => Math.round(n * rows[0]!.bytes[tables.indexOf(table)]!);
};
