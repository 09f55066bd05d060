/** Removes null fields from a JSON value at every depth, because the types use undefined. */
export const withoutNulls = <T>(value: unknown): T =>
  Array.isArray(value)
    ? (value.map(withoutNulls) as T)
    : value !== null && typeof value === 'object'
      ? (Object.fromEntries(
          Object.entries(value)
            .filter(([, inner]) => inner !== null)
            .map(([name, inner]) => [name, withoutNulls(inner)]),
        ) as T)
      : (value as T);

/** Removes the columns that are null from a row; JSON inside a column is not changed. */
export const rowWithoutNulls = <T>(row: object): T =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
