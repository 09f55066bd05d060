import type pg from 'pg';

/** SQL: how many bytes a row of a table takes, with its indexes; an estimate. */
export const rowBytes = (table: string): string =>
  `(select pg_total_relation_size('${table}') / greatest(1, reltuples) from pg_class where oid = '${table}'::regclass)`;

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
