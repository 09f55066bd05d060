import { ConsoleProblem } from './problems.ts';

/**
 * The id behind which a page begins, from its cursor.
 * @throws ConsoleProblem `invalid` for a cursor that the console did not give
 */
export const idOfCursor = (cursor: string | undefined): string | undefined => {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor))
    throw new ConsoleProblem('invalid', 'The cursor is not one that the console gave.');
  return cursor;
};

/** A page of at most `limit` of these rows, of which one more was read to know whether another page follows. */
export const pageOf = <Row extends { id: string }>(
  rows: readonly Row[],
  limit: number,
): { items: Row[]; next: string | null } => {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? items.at(-1)!.id : null };
};
