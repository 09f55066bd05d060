import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { lineBreak } from '../reports/csv-file.ts';
import { neutralise } from '../reports/neutralise.ts';
import { attachment } from './attachment.ts';
import { ConsoleProblem } from './problems.ts';

export const wrongCursor = () =>
  new ConsoleProblem('invalid', 'The cursor is not one that the console gave.');

/**
 * The id after which a page begins, from its cursor.
 * @throws ConsoleProblem `invalid` for a cursor that the console did not give
 */
export const idOfCursor = (cursor: string | undefined): string | undefined => {
  if (cursor !== undefined && !/^\d{1,18}$/.test(cursor)) throw wrongCursor();
  return cursor;
};

interface Page<Item> {
  items: readonly Item[];
  /** The cursor of the next page. */
  next: string | null;
}

/** A page of at most `limit` of these rows, of which one more was read to know whether another page follows. */
export const pageOf = <Row>(rows: readonly Row[], limit: number, cursorOf: (last: Row) => string) => {
  const items = rows.slice(0, limit);
  return { items, next: rows.length > limit ? cursorOf(items.at(-1)!) : null };
};

/** The cursor of lists that `idOfCursor` reads. */
export const idOf = ({ id }: { id: string }): string => id;

/** A column of a CSV download. */
export interface CsvColumn<Row> {
  head: string;
  read: (row: Row) => string | number | boolean | null | undefined;
  /** Numeric: -5 is a number, not a formula. */
  numeric?: boolean;
}

const byteOrderMark = '\ufeff';
const mostRows = 100_000;

const linesOf = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    { record_delimiter: '\r\n', quoted_match: lineBreak },
  );

const cellsOf = <Row>(columns: readonly CsvColumn<Row>[], row: Row): string[] =>
  columns.map(({ read, numeric }) => neutralise(String(read(row) ?? ''), numeric === true));

/** A short list as `sendCsv` writes it. */
export const csvText = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string =>
  byteOrderMark + linesOf([columns.map(({ head }) => head), ...rows.map((row) => cellsOf(columns, row))]);

/**
 * Answers a whole list as CSV with the byte order mark that spreadsheet programs need; cells that begin like a formula are neutralised as
 * in result files. Reads page by page, so memory does not grow with the list.
 */
export const sendCsv = async <Row>(
  reply: FastifyReply,
  name: string,
  columns: readonly CsvColumn<Row>[],
  readPage: (after: string | undefined) => Promise<Page<Row>>,
): Promise<FastifyReply> => {
  async function* text(): AsyncGenerator<string> {
    yield byteOrderMark + linesOf([columns.map(({ head }) => head)]);
    let after: string | undefined;
    let count = 0;
    for (;;) {
      const { items, next } = await readPage(after);
      yield linesOf(items.map((row) => cellsOf(columns, row)));
      count += items.length;
      if (next === null) return;
      if (count >= mostRows) {
        yield linesOf([[`Only the first ${count} rows are listed; narrow the filters for the others.`]]);
        return;
      }
      after = next;
    }
  }
  attachment(reply, `${name}.csv`, 'text/csv; charset=utf-8');
  return reply.send(Readable.from(text(), { objectMode: false }));
};

const exportedAtOnce = 500;

/** Answers one page of a list, or all of it as CSV where the request asks for that. */
export const answerList = async <Row, Answer extends Page<Row>>(
  reply: FastifyReply,
  { format, cursor, limit }: { format: string; cursor?: string | undefined; limit: number },
  csv: { name: string; columns: readonly CsvColumn<Row>[] },
  readPage: (cursor: string | undefined, limit: number) => Promise<Answer>,
): Promise<Answer> => {
  if (format !== 'csv') return readPage(cursor, limit);
  return (await sendCsv(reply, csv.name, csv.columns, (after) => readPage(after, exportedAtOnce))) as never;
};
