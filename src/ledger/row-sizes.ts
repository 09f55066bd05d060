import type pg from 'pg';

/**
 * SQL: how many bytes a row of a table takes, with its indexes; an estimate. Of a table with few rows, or whose rows Postgres has not
 * counted yet, the size says little: its pages are mostly empty. There the rows themselves are measured.
 */
export const rowBytes = (table: string): string =>
  `(select case when reltuples >= 10000 then pg_total_relation_size('${table}') / reltuples
      else coalesce((select avg(pg_column_size(t.*)) * 2 + 28 from (select * from ${table} limit 1000) t), 0) end
    from pg_class where oid = '${table}'::regclass)`;

/** What so many removed rows of these tables took, by the size of the tables before. */
export const sizeOf = async (
  pool: pg.Pool,
  tables: readonly string[],
): Promise<(table: string, n: number) => number> => {
  const { rows } = await pool.query<{ bytes: number[] }>(
    `select array[${tables.map((table) => `${rowBytes(table)}::float8`).join(', ')}] as bytes`,
  );
  return (table, n) => Math.round(n * rows[0]!.bytes[tables.indexOf(table)]!);
};
