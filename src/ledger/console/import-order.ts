export const importSorts = ['received', 'file', 'rows', 'pos'] as const;
export type ImportSort = (typeof importSorts)[number];

export interface ImportPage {
  sort?: ImportSort | undefined;
  /** newest (default): the latest, the last name, or the largest number first. */
  order?: 'newest' | 'oldest' | undefined;
  /** Only imports after this one. */
  after?: string | undefined;
  limit: number;
}

/** SQL: sort keys of imports, besides their ID; always the same text, to match the indexes. Names are compared bytewise. */
const keys: Record<
  Exclude<ImportSort, 'received'>,
  { key: (i: string) => string; less: string; more: string }
> = {
  file: { key: (i) => `lower(${i}.file_name)`, less: '~<~', more: '~>~' },
  rows: { key: (i) => `${i}.row_count`, less: '<', more: '>' },
  pos: { key: (i) => `coalesce(${i}.po_count, 0)`, less: '<', more: '>' },
};

/** SQL: the order of a page of the imports `i`. */
export const orderOfImports = ({ sort = 'received', order = 'newest' }: ImportPage): string => {
  const byId = `i.id ${order === 'newest' ? 'desc' : 'asc'}`;
  if (sort === 'received') return `order by ${byId}`;
  const { key, less, more } = keys[sort];
  return `order by ${key('i')} using ${order === 'newest' ? more : less}, ${byId}`;
};

/** SQL: the imports `i` after the last one of the previous page. */
export const behindImport = (
  { sort = 'received', order = 'newest', after }: ImportPage,
  bind: (value: unknown) => string,
): string[] => {
  if (after === undefined) return [];
  const last = `${bind(after)}::bigint`;
  const isBehind = `i.id ${order === 'newest' ? '<' : '>'} ${last}`;
  if (sort === 'received') return [isBehind];
  const { key, less, more } = keys[sort];
  const operator = order === 'newest' ? less : more;
  const lastKey = `(select ${key('l')} from imports l where l.id = ${last})`;
  return [
    `${key('i')} ${operator.replace(/([<>])/, '$1=')} ${lastKey}`,
    `(${key('i')} ${operator} ${lastKey} or ${isBehind})`,
  ];
};
