import type pg from 'pg';
import { anyValue } from '../intake/layouts/watch-columns.ts';
import { noteChange } from './changes.ts';
import type { Actor } from './console/activity.ts';
import { lockPurchaseOrders, type Regrouping, regroupRows } from './group-rows.ts';
import { changePos, withParts } from './po/change.ts';
import { isUnanswered } from './purchase-order-sql.ts';
import { inTransaction } from './transaction.ts';

/** A value that no file with its header had before, with the POs that wait because of it. */
export interface Question {
  /** Stable while it is open. */
  id: string;
  account: string;
  /** The name of the layout of its files. */
  layout: string;
  column: string;
  /** As the first of the rows has it; empty: the cell is blank. */
  value: string;
  message: string;
  rows: number;
  purchaseOrders: number;
  /** The first of them. */
  firstPo: { id: string; poNumber: string };
  importId: string;
  fileName: string;
  since: Date;
}

/** SQL: the PO waits for answers. */
const waits = (p: string) => `${p}.state = 'held' and ${p}.reason_code = 'question'`;
const key = (part: 1 | 2) => `split_part(r.question, E'\\n', ${part})`;

/** SQL: questions of POs that are held for them, which nobody has answered for good. */
const openSql = `
  select md5(i.account || E'\\n' || l.header_key || E'\\n' || r.question) as question_id, i.account, l.header_key, l.name,
    r.question, r.column_name, r.found, r.message, r.row_number, r.import_id, i.file_name, p.id as po_id, p.po_number, p.changed_at
  from purchase_orders p
  join row_issues r on r.import_id = p.import_id and r.po_number = p.po_number and r.question is not null
  join imports i on i.id = p.import_id
  join layouts l on l.id = i.layout_id
  where ${waits('p')}
    and ${isUnanswered('r', 'i', 'l')}`;

/** The open questions of these accounts, the longest first. */
export const listQuestions = async (
  client: Pick<pg.Pool, 'query'>,
  accounts: readonly string[] | null,
): Promise<Question[]> => {
  const { rows } = await client.query<Question>({
    name: 'open-questions-of-files',
    text: `
      select question_id as id, account, min(name) as layout, min(column_name) as column,
        coalesce((array_agg(found order by po_id, row_number))[1], '') as value,
        (array_agg(message order by po_id, row_number))[1] as message,
        count(distinct (import_id, row_number))::int as rows, count(distinct po_id)::int as "purchaseOrders",
        jsonb_build_object('id', min(po_id)::text, 'poNumber', (array_agg(po_number order by po_id))[1]) as "firstPo",
        min(import_id)::text as "importId", (array_agg(file_name order by import_id))[1] as "fileName", min(changed_at) as since
      from (${openSql} and ($1::text[] is null or p.account = any($1))) open
      group by question_id, account order by since, id`,
    values: [accounts],
  });
  return rows;
};

/** What a person decides about rows with a value. */
export interface GivenAnswer {
  answer: 'order' | 'leave_out' | 'ask';
  /** The same for every value of the column. */
  wholeColumn?: boolean;
  note?: string | undefined;
}

export interface Answered {
  question: Question;
  /** POs that go on now; they have no job yet. */
  purchaseOrderIds: string[];
  leftOutRows: number;
}

const rememberSql = `
  insert into layout_values (account, header_key, column_key, value_key, answer, who, via, note)
  select distinct o.account, o.header_key, split_part(o.question, E'\\n', 1),
    case when $3 then '${anyValue}' else split_part(o.question, E'\\n', 2) end, $2, $4, $5, $6
  from (${openSql}) o where o.question_id = $1
  on conflict (account, header_key, column_key, value_key) do update
    set answer = excluded.answer, who = excluded.who, via = excluded.via, note = excluded.note, at = clock_timestamp()`;

// Rows of POs that wait, with a value that a person leaves out.
const takeOutSql = `
  with rows_out as (
    select distinct on (r.import_id, r.row_number) r.import_id, r.row_number, r.po_number, r.column_name, r.found, v.who
    from purchase_orders p
    join row_issues r on r.import_id = p.import_id and r.po_number = p.po_number and r.question is not null
    join imports i on i.id = p.import_id
    join layouts l on l.id = i.layout_id
    join layout_values v on v.account = i.account and v.header_key = l.header_key
      and v.column_key = ${key(1)} and v.value_key in (${key(2)}, '${anyValue}') and v.answer = 'leave_out'
    where p.account = $1 and ${waits('p')}
  ), gone as (
    delete from lines l using rows_out o where l.import_id = o.import_id and l.row_number = o.row_number
  ), silent as (
    delete from row_issues r using rows_out o where r.import_id = o.import_id and r.row_number = o.row_number
  )
  select import_id::text as "importId", row_number as "rowNumber", po_number as "poNumber", column_name as column, found, who
  from rows_out`;

const noteSql = `
  insert into row_issues (import_id, row_number, po_number, column_name, message, found, severity, code)
  select *, 'note', 'left_out' from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[])`;

// All their questions are answered.
const readySql = `
  select p.id::text, p.import_id::text as "importId", p.po_number as "poNumber" from purchase_orders p
  where p.account = $1 and ${waits('p')} and p.lease_owner is null
    and not exists (select from (${openSql}) o where o.po_id = p.id) for update of p`;

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
      reason_text: `'All its rows are left out, as a person decided. Nothing was sent for this PO.'`,
    },
    newRun: true,
    takesAway: 'at_once',
    where: `p.id = any($1::bigint[]) and not exists (select from lines l where l.import_id = p.import_id and l.po_number = p.po_number)`,
  }),
)} select id::text from ended`;

/** Makes POs of one import again from the rows that are left. */
const makeAgain = async (
  client: pg.PoolClient,
  importId: string,
  pos: readonly { id: string; poNumber: string }[],
): Promise<string[]> => {
  const ids = pos.map(({ id }) => id);
  const ended = await client.query<{ id: string }>(endSql, [ids]);
  const gone = new Set(ended.rows.map(({ id }) => id));
  const left = pos.filter(({ id }) => !gone.has(id));
  if (left.length === 0) return [];
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
  return goOn.rows.map(({ id }) => id);
};

/**
 * Carries out what was answered for POs of an account that wait for answers: rows that are left out are taken out of them, and those
 * without an open question go on. In the caller's transaction, which must hold the lock of the account's POs, so that no file is
 * grouped meanwhile.
 */
export const applyAnswers = async (
  client: pg.PoolClient,
  account: string,
): Promise<Omit<Answered, 'question'>> => {
  const { rows } = await client.query(takeOutSql, [account]);
  const message = ({ column, found, who }: { column: string; found: string | null; who: string | null }) =>
    `Not ordered: rows in which "${column}" says ${JSON.stringify(found ?? '')} are left out, as ${who ?? 'a person'} decided.`;
  if (rows.length > 0)
    await client.query(noteSql, [
      rows.map((row) => row.importId),
      rows.map((row) => row.rowNumber),
      rows.map((row) => row.poNumber),
      rows.map((row) => row.column),
      rows.map(message),
      rows.map((row) => row.found),
    ]);
  const { rows: ready } = await client.query<{ id: string; importId: string; poNumber: string }>(readySql, [
    account,
  ]);
  const purchaseOrderIds: string[] = [];
  for (const one of new Set(ready.map((po) => po.importId)))
    purchaseOrderIds.push(
      ...(await makeAgain(
        client,
        one,
        ready.filter((po) => po.importId === one),
      )),
    );
  return { purchaseOrderIds, leftOutRows: rows.length };
};

/**
 * Answers a question, remembers the answer for files with its header, and lets the POs go on that waited for it alone. In one
 * transaction. Undefined if nothing waits for this answer any more.
 */
export const answerQuestion = async (
  pool: pg.Pool,
  id: string,
  { answer, wholeColumn = false, note }: GivenAnswer,
  { who, via }: Actor,
  accounts: readonly string[] | null,
): Promise<Answered | undefined> => {
  const findOne = async (client: Pick<pg.Pool, 'query'>) =>
    (await listQuestions(client, accounts)).find((one) => one.id === id);
  const answered = await inTransaction(pool, {}, async (client): Promise<Answered | undefined> => {
    const account = (await findOne(client))?.account;
    if (account === undefined) return undefined;
    await lockPurchaseOrders(client, account);
    // Somebody may have answered while this one waited.
    const question = await findOne(client);
    if (!question) return undefined;
    const { importId, column, value } = question;
    await client.query(rememberSql, [id, answer, wholeColumn, who, via, note ?? null]);
    await client.query(
      `insert into operator_actions (who, via, action, account, import_id, note, detail) values ($1, $2, 'answered', $3, $4, $5, $6)`,
      [who, via, account, importId, note ?? null, JSON.stringify({ column, value, answer, wholeColumn })],
    );
    return { question, ...(await applyAnswers(client, account)) };
  });
  if (answered)
    noteChange(pool, {
      topics: ['purchase-orders', 'imports', 'activity'],
      account: answered.question.account,
    });
  return answered;
};
