import type pg from 'pg';
import { rowWithoutNulls } from './nulls.ts';

type Client = Pick<pg.Pool, 'query'>;

/** The rows that a statement returns. */
export const rowsOf = async <Row extends object>(
  client: Client,
  statement: string | pg.QueryConfig,
  values?: unknown[],
): Promise<Row[]> => (await client.query(statement, values)).rows as Row[];

/** The same without null columns, because the types use undefined. */
export const filledRows = async <Row extends object>(...asked: Parameters<typeof rowsOf>): Promise<Row[]> =>
  (await rowsOf(...asked)).map((row) => rowWithoutNulls<Row>(row));

/** The first or only row; undefined: no rows. */
export const firstRow = async <Row extends object>(
  ...asked: Parameters<typeof rowsOf>
): Promise<Row | undefined> => (await rowsOf<Row>(...asked))[0];

/** Whether a statement changes, or finds, exactly one row. */
export const changesOne = async (
  ...[client, statement, values]: Parameters<typeof rowsOf>
): Promise<boolean> => (await client.query(statement, values)).rowCount === 1;

const firstValue = (row: object): unknown => Object.values(row)[0];

/** The values of a statement that returns one column. */
export const columnOf = async <Value>(...asked: Parameters<typeof rowsOf>): Promise<Value[]> =>
  (await rowsOf(...asked)).map((row) => firstValue(row) as Value);

/** The value of a statement that returns one column and at most one row; undefined: no row. */
export const onlyValue = async <Value>(...asked: Parameters<typeof rowsOf>): Promise<Value> =>
  (await columnOf<Value>(...asked))[0] as Value;

/** Runs a statement whose result is not needed. */
export const execute = async (...[client, statement, values]: Parameters<typeof rowsOf>): Promise<void> => {
  await client.query(statement, values);
};
