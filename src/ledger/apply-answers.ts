import type pg from 'pg';
import { belowPieces } from '../intake/layouts/telling-values.ts';
import { maxQuantity } from '../intake/options.ts';
import { type Regrouping, regroupRows } from './group-rows.ts';
import { changePos, withParts } from './po/change.ts';
import { answerOf, isUnanswered } from './purchase-order-sql.ts';

/** What an answer changed. */
export interface Applied {
  /** POs that continue and have no job yet. */
  purchaseOrderIds: string[];
  leftOutRows: number;
  /** POs with no rows left. */
  cancelled: number;
}

/** SQL: the PO waits for answers. */
const waits = `p.state = 'held' and p.reason_code = 'question'`;

/** SQL: the questions of held POs that have no final answer. */
export const openSql = `
  select md5(i.account || E'\\n' || l.header_key || E'\\n' || r.question) as question_id, i.account, l.header_key, l.name,
    r.question, r.column_name, r.found, r.message, r.row_number, r.import_id, i.file_name, p.id as po_id, p.po_number, p.changed_at
  from purchase_orders p
  join row_issues r on r.import_id = p.import_id and r.po_number = p.po_number and r.question is not null
  join imports i on i.id = p.import_id
  join layouts l on l.id = i.layout_id
  where ${waits}
    and ${isUnanswered('r', 'i', 'l')}`;

/**
 * SQL: rows of the account's ($1) waiting POs with a value that has this answer, one value per row at a time. A row that only inherits the
 * value of the row above (`found` is null) is skipped along with it.
 */
const answeredRows = (answer: 'leave_out' | 'pieces') => `
  select distinct on (r.import_id, r.row_number) r.import_id, r.row_number, r.po_number, r.column_name, r.question,
    coalesce(r.found, split_part(r.question, E'\\n', 2)) as found, (known.v).who, (known.v).pieces
  from purchase_orders p
  join row_issues r on r.import_id = p.import_id and r.po_number = p.po_number and r.question is not null
  join imports i on i.id = p.import_id
  join layouts l on l.id = i.layout_id
  cross join lateral ${answerOf('r', 'i', 'l')} known(v)
  where p.account = $1 and ${waits} and (known.v).answer = '${answer}'
  order by r.import_id, r.row_number, r.question`;

// An answer about how a row is counted does not apply to the blank cells below it.
const blankSql = `
  update row_issues r set question = split_part(r.question, E'\\n', 1) || E'\\n${belowPieces}\\nblank', found = '',
    message = format('"%s" is blank here, below a row that is counted in pieces. Order such rows, or leave them out?', r.column_name)
  from purchase_orders p join imports i on i.id = p.import_id join layouts l on l.id = i.layout_id
  where p.account = $1 and ${waits} and r.import_id = p.import_id and r.po_number = p.po_number and r.question is not null and r.found is null
    and (${answerOf('r', 'i', 'l')}).answer = 'pieces'`;

const takeOutSql = `
  with skipped as (${answeredRows('leave_out')}), gone as (
    delete from lines l using skipped s where l.import_id = s.import_id and l.row_number = s.row_number
  ), silent as (
    delete from row_issues r using skipped s where r.import_id = s.import_id and r.row_number = s.row_number
  )
  select import_id::text as "importId", row_number as "rowNumber", po_number as "poNumber", column_name as column, found, who
  from skipped`;

const noteSql = `
  insert into row_issues (import_id, row_number, po_number, column_name, message, found, severity, code)
  select *, 'note', 'left_out' from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[])`;

const countSql = `
  with packed as materialized (
    select a.*, l.quantity, a.pieces::bigint * l.quantity as counted, b.pieces as before, b.column_name as by, b.found as text
    from (${answeredRows('pieces')}) a join lines l on l.import_id = a.import_id and l.row_number = a.row_number
    left join lateral (
      select n.column_name, n.found, substring(n.message from '([0-9]+) pieces[.]$')::bigint as pieces from row_issues n
      where n.import_id = a.import_id and n.row_number = a.row_number and n.code = 'pieces_counted' and n.message ~ ' pieces[.]$' limit 1) b on true
  ), counted as (
    update lines l set quantity = least(k.counted, 2147483647)::int, expected_price = round(l.expected_price / k.pieces, 4)
    from packed k where l.import_id = k.import_id and l.row_number = k.row_number and k.before is null
  ), answered as (
    delete from row_issues r using packed k
    where r.import_id = k.import_id and r.row_number = k.row_number and r.question = k.question
  )
  insert into row_issues (import_id, row_number, po_number, severity, column_name, code, message, found, expected)
  select import_id, row_number, po_number, case when counted > ${maxQuantity} then 'issue' else 'note' end, column_name, 'pieces_counted',
    format('%s × %s = %s pieces, because "%s" says "%s" and a person said that one of it is %s pieces.',
      quantity, pieces, counted, column_name, found, pieces), found, case when counted > ${maxQuantity} then 'at most ${maxQuantity} pieces' end
  from packed where before is null
  union all
  select import_id, row_number, po_number, 'issue', column_name, 'pieces_counted',
    format('A person said that one is %s pieces where "%s" says "%s", and %s where "%s" says "%s". Change one of these answers in the layout, and send the file again.',
      before, by, text, pieces, column_name, found), found, null
  from packed where before <> pieces`;

// POs without open questions.
const readySql = `
  with open as materialized (select po_id from (${openSql} and p.account = $1) o)
  select p.id::text, p.import_id::text as "importId", p.po_number as "poNumber" from purchase_orders p
  where p.account = $1 and ${waits} and p.lease_owner is null and p.id not in (select po_id from open) for update of p`;

const goOnSql = `${withParts(
  changePos('answered', {
    by: 'answer',
    from: `staged s left join row_issues h on h.import_id = $2 and h.po_number = s.po_number and h.code = 'also_held'`,
    set: {
      state: `case when s.outcome = 'rejected' then 'rejected' when h.found is null then 'ready' else 'held' end`,
      reason_code: 'coalesce(s.code, h.found)',
      reason_text: 'coalesce(s.reason, h.message)',
      first_row: 's.first_row',
      line_count: 's.line_count',
      options: 's.options::json',
      content_hash: 's.content_hash',
      file_hash: 's.file_hash',
    },
    newRun: true,
    where: `p.id = any($1::bigint[]) and p.import_id = $2 and p.po_number = s.po_number`,
    returning: 'p.state',
  }),
)} select id::text from answered where state = 'ready'`;

const endSql = `${withParts(
  changePos('ended', {
    by: 'answer',
    set: {
      state: `'cancelled'`,
      reason_code: `'left_out'`,
      reason_text: `'All its rows are skipped, as a person decided. Nothing was sent for this PO.'`,
    },
    newRun: true,
    where: `p.id = any($1::bigint[]) and not exists (select from lines l where l.import_id = p.import_id and l.po_number = p.po_number)`,
  }),
)} select id::text from ended`;

/** Regroups POs of one import from their remaining rows. */
const makeAgain = async (
  client: pg.PoolClient,
  importId: string,
  pos: readonly { id: string; poNumber: string }[],
): Promise<{ goOn: string[]; ended: number }> => {
  const ids = pos.map(({ id }) => id);
  const ended = await client.query<{ id: string }>(endSql, [ids]);
  const gone = new Set(ended.rows.map(({ id }) => id));
  const left = pos.filter(({ id }) => !gone.has(id));
  if (left.length === 0) return { goOn: [], ended: gone.size };
  const { rows } = await client.query<{ grouping: Regrouping | null }>(
    'select grouping from imports where id = $1',
    [importId],
  );
  const { grouping } = rows[0]!;
  if (!grouping) throw new Error(`Import ${importId} does not say how its rows were grouped.`);
  await regroupRows(
    client,
    importId,
    left.map(({ poNumber }) => poNumber),
    grouping,
  );
  const goOn = await client.query<{ id: string }>(goOnSql, [left.map(({ id }) => id), importId]);
  await client.query('drop table staged');
  return { goOn: goOn.rows.map(({ id }) => id), ended: gone.size };
};

/**
 * Applies answers to the account's waiting POs: removes skipped rows, and lets POs without an open question continue. The caller's
 * transaction must hold the lock of the account's POs, so that no file is grouped meanwhile.
 */
export const applyAnswers = async (client: pg.PoolClient, account: string): Promise<Applied> => {
  await client.query(blankSql, [account]);
  const { rows } = await client.query(takeOutSql, [account]);
  const message = ({ column, found, who }: { column: string; found: string | null; who: string | null }) =>
    `Not ordered: rows in which "${column}" says ${JSON.stringify(found ?? '')} are skipped, as ${who ?? 'a person'} decided.`;
  if (rows.length > 0)
    await client.query(noteSql, [
      rows.map((row) => row.importId),
      rows.map((row) => row.rowNumber),
      rows.map((row) => row.poNumber),
      rows.map((row) => row.column),
      rows.map(message),
      rows.map((row) => row.found),
    ]);
  // One value per row and run: two columns may say how a row is packed.
  while (((await client.query(countSql, [account])).rowCount ?? 0) > 0);
  const { rows: ready } = await client.query<{ id: string; importId: string; poNumber: string }>(readySql, [
    account,
  ]);
  const applied: Applied = { purchaseOrderIds: [], leftOutRows: rows.length, cancelled: 0 };
  for (const one of new Set(ready.map((po) => po.importId))) {
    const pos = ready.filter((po) => po.importId === one);
    const { goOn, ended } = await makeAgain(client, one, pos);
    applied.purchaseOrderIds.push(...goOn);
    applied.cancelled += ended;
  }
  return applied;
};
