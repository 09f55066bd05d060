import type pg from 'pg';
import type { ShownQuestion } from '../api-contract/layouts.ts';
import { anyValue } from '../intake/layouts/answers.ts';
import { isOfEach } from '../intake/layouts/known-values.ts';
import { sayQuestion } from '../intake/layouts/telling-values.ts';
import { type Applied, applyAnswers, openSql } from './apply-answers.ts';
import { noteChange } from './changes.ts';
import { type Actor, recordActivity } from './console/activity.ts';
import { iso } from './console/sql-parts.ts';
import { lockPurchaseOrders } from './group-rows.ts';
import { rowsOf } from './query.ts';
import { inTransaction } from './transaction.ts';

/** A value that no file with its header had before, with the POs that wait because of it. */
export interface Question extends ShownQuestion {
  headerKey: string;
  /** Of the column and the value, by which they are remembered. @see ValueKey */
  columnKey: string;
  valueKey: string;
}

/** The open questions of these accounts, longest open first. */
export const listQuestions = (
  client: Pick<pg.Pool, 'query'>,
  accounts: readonly string[] | null,
): Promise<Question[]> =>
  rowsOf(client, {
    name: 'open-questions-of-files',
    text: `
      select question_id as id, account, min(name) as layout, min(header_key) as "headerKey", min(column_name) as column, min(split_part(question, E'\\n', 1)) as "columnKey", min(split_part(question, E'\\n', 2)) as "valueKey",
        -- The message that says most: of some numbers it also names an order that may be theirs.
        coalesce((array_agg(found order by length(message) desc, po_id, row_number))[1], '') as value,
        (array_agg(message order by length(message) desc, po_id, row_number))[1] as message,
        count(distinct (import_id, row_number)) filter (where found is not null)::int as rows, count(distinct po_id)::int as "purchaseOrders",
        jsonb_build_object('id', min(po_id)::text, 'poNumber', (array_agg(po_number order by po_id))[1]) as "firstPo",
        min(import_id)::text as "importId", (array_agg(file_name order by import_id))[1] as "fileName", ${iso('min(changed_at)')} as since
      from (${openSql} and ($1::text[] is null or p.account = any($1))) open
      group by question_id, account order by min(changed_at), id`,
    values: [accounts],
  });

/** A person's decision about rows with a value. */
export interface GivenAnswer {
  answer: 'order' | 'leave_out' | 'ask' | 'pieces';
  /** For `pieces`: how many pieces a quantity of 1 means. */
  pieces?: number | undefined;
  /** Applies to every value of the column. */
  wholeColumn?: boolean;
  note?: string | undefined;
}

export interface Answered extends Applied {
  question: Question;
}

const rememberSql = `
  insert into layout_values (account, header_key, column_key, value_key, answer, who, via, note, pieces)
  select distinct o.account, o.header_key, split_part(o.question, E'\\n', 1),
    value_key, $2, $4, $5, $6, $7::int
  from (${openSql}) o
  cross join lateral (select split_part(o.question, E'\\n', 2) as value_key union select '${anyValue}' where $3) of
  where o.question_id = $1
  on conflict (account, header_key, column_key, value_key) do update
    set answer = excluded.answer, pieces = excluded.pieces, who = excluded.who, via = excluded.via, note = excluded.note, at = clock_timestamp()`;

// Whoever looks at the question later sees that somebody has answered it.
const sayEachTimeSql = `
  update row_issues r set message = $2 from (${openSql}) o
  where o.question_id = $1 and r.import_id = o.import_id and r.row_number = o.row_number and r.po_number = o.po_number
    and r.question = o.question and r.found = $3`;

// The waiting rows were skipped; the next similar number raises the question again.
const askAgainSql = `
  update layout_values set answer = 'ask' where account = $1 and header_key = $2 and column_key = $3 and value_key = $4`;

/**
 * Answers a question, stores the answer for files with its header, and continues the POs that waited only for it, in one transaction.
 * Undefined if nothing waits for this answer any more.
 */
export const answerQuestion = async (
  pool: pg.Pool,
  id: string,
  { answer, wholeColumn = false, note, pieces }: GivenAnswer,
  { who, via }: Actor,
  accounts: readonly string[] | null,
): Promise<Answered | undefined> => {
  const findOne = async (client: Pick<pg.Pool, 'query'>) =>
    (await listQuestions(client, accounts)).find((one) => one.id === id);
  const answered = await inTransaction(pool, {}, async (client): Promise<Answered | undefined> => {
    const account = (await findOne(client))?.account;
    if (account === undefined) return undefined;
    await lockPurchaseOrders(client, account);
    // Another person may have answered while this one waited for the lock.
    const question = await findOne(client);
    if (!question) return undefined;
    const { importId, column, value } = question;
    await client.query(rememberSql, [id, answer, wholeColumn, who, via, note ?? null, pieces ?? null]);
    const given = { column, value, answer, wholeColumn, pieces };
    await recordActivity(client, 'answered', { who, via }, given, { account, importId, note });
    if (answer === 'ask')
      await client.query(sayEachTimeSql, [id, sayQuestion(column, question.valueKey, value, answer), value]);
    const applied = await applyAnswers(client, account);
    if (answer === 'leave_out' && isOfEach(question.columnKey, question.valueKey))
      await client.query(askAgainSql, [account, question.headerKey, question.columnKey, question.valueKey]);
    return { question, ...applied };
  });
  if (answered)
    noteChange(pool, {
      topics: ['purchase-orders', 'imports', 'activity'],
      account: answered.question.account,
    });
  return answered;
};
