import type pg from 'pg';

const columnsSql = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "notNull",
    pg_get_expr(d.adbin, d.adrelid) as "default", a.attidentity <> '' as identity, a.attgenerated <> '' as generated,
    col_description(c.oid, a.attnum) as comment
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  order by c.relname collate "C", a.attnum`;

const tablesSql = `
  select c.relname as name, array_to_string(c.reloptions, ', ') as options, obj_description(c.oid) as comment
  from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r' order by c.relname collate "C"`;

const constraintsSql = `
  select t.conrelid::regclass::text as "table", t.conname as name, pg_get_constraintdef(t.oid) as definition
  from pg_constraint t
  where t.connamespace = $1::regnamespace and t.contype <> 'n'
  order by array_position('{p,u,c,f}', t.contype::text), t.conname collate "C"`;

const indexesSql = `
  select i.indrelid::regclass::text as "table", pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = $1::regnamespace
    and not exists (select from pg_constraint t where t.conindid = i.indexrelid and t.contype in ('p', 'u'))
  order by c.relname collate "C"`;

const triggersSql = `
  select t.tgrelid::regclass::text as "table", pg_get_triggerdef(t.oid) as definition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = $1::regnamespace and not t.tgisinternal order by t.tgname collate "C"`;

const functionsSql = `
  select pg_get_functiondef(p.oid) as definition from pg_proc p
  where p.pronamespace = $1::regnamespace order by p.proname collate "C"`;

interface Column {
  table: string;
  name: string;
  type: string;
  notNull: boolean;
  default: string | null;
  identity: boolean;
  generated: boolean;
  comment: string | null;
}

const lineLength = 110;

/** Wraps a comment to lines of readable length. */
const commentLines = (comment: string | null, indent = ''): string[] => {
  const lines: string[] = [];
  for (const word of comment?.split(/\s+/) ?? []) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= lineLength) lines.push(`${indent}-- ${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};

const columnText = (column: Column): string => {
  const parts = [column.name, column.type];
  if (column.identity) parts.push('generated always as identity');
  else if (column.notNull) parts.push('not null');
  if (column.generated) parts.push(`generated always as (${column.default}) stored`);
  else if (column.default !== null) parts.push(`default ${column.default}`);
  return `  ${plain(parts.join(' '))}`;
};

/** Makes a definition from Postgres readable: lower case, short type names, no casts of plain text. */
const plain = (definition: string): string =>
  definition
    .split(/('[^']*')/)
    .map((part, at) => {
      if (at % 2 === 1) return part === "'\x1f'" ? "E'\\x1f'" : part;
      return part
        .replace(at === 0 ? '' : /^::text(\[\])?/, '')
        .replaceAll('timestamp with time zone', 'timestamptz')
        .replaceAll(' USING btree', '')
        .replace(/\b[A-Z]{2,}\b/g, (keyword) => keyword.toLowerCase());
    })
    .join('');

/** One schema as readable SQL, from the catalogue: deterministic, and complete enough to compare two databases. */
export const describeSchema = async (
  client: Pick<pg.ClientBase, 'query'>,
  schema: string,
): Promise<string> => {
  await client.query(`set search_path = ${schema}`);
  const read = async <Row>(sql: string): Promise<Row[]> =>
    (await client.query(sql, [schema])).rows as unknown as Row[];
  const columns = await read<Column>(columnsSql);
  const constraints = await read<{ table: string; name: string; definition: string }>(constraintsSql);
  const indexes = await read<{ table: string; definition: string }>(indexesSql);
  const triggers = await read<{ table: string; definition: string }>(triggersSql);
  const functions = await read<{ definition: string }>(functionsSql);
  const tables = await read<{ name: string; options: string; comment: string | null }>(tablesSql);

  const own = <Part extends { table: string }>(parts: Part[], table: string): Part[] =>
    parts.filter((part) => part.table === table);
  const texts = tables.map(({ name, options, comment }) => {
    const body = [
      ...own(columns, name).map((column) => ({ comment: column.comment, text: columnText(column) })),
      ...own(constraints, name).map((one) => ({
        comment: null,
        text: `  constraint ${one.name} ${plain(one.definition)}`,
      })),
    ];
    const lines = body.flatMap((part, at) => [
      ...commentLines(part.comment, '  '),
      `${part.text}${at < body.length - 1 ? ',' : ''}`,
    ]);
    const rest = [...own(indexes, name), ...own(triggers, name)].map(
      ({ definition }) => `${plain(definition)};`,
    );
    return [
      ...commentLines(comment),
      `create table ${name} (`,
      ...lines,
      `)${options ? ` with (${options})` : ''};`,
      ...rest,
    ].join('\n');
  });
  return `${[...functions.map(({ definition }) => `${plain(definition.trim())};`), ...texts].join('\n\n').replaceAll(`${schema}.`, '')}\n`;
};
