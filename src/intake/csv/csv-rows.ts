import { finished } from 'node:stream/promises';
import { type Parser, parse } from 'csv-parse';
import { FileRefused } from '../../errors.ts';
import type { RawRow } from '../types.ts';
import { decodeText } from './decode-text.ts';

const batchRows = 500;

export interface CsvDialect {
  encoding: string;
  delimiter: string;
  quoted: boolean;
  /** The file begins with `sep=;`, a line that spreadsheets do not show. */
  sepLine: boolean;
  maxRecordBytes: number;
  /** The file has no carriage return. */
  onlyLineFeeds: boolean;
}

/** Removes the `sep=` line from the first chunk. */
async function* withoutSepLine(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open = true;
  for await (const chunk of chunks) {
    if (!open) {
      yield chunk;
      continue;
    }
    open = false;
    const text = chunk.toString('latin1', 0, 16);
    yield chunk.subarray(/^"?sep=.?"?(?:\r\n|\r|\n)/i.exec(text)?.[0].length ?? 0);
  }
}

/**
 * A parser of the dialect. Its rows go to `onRow` while it is written to, at once and even when the row after them breaks.
 * They do not wait in the stream: its list of rows that wait keeps rows in memory that are long done with, and an
 * iterator costs a promise a row.
 */
export const csvParser = (
  dialect: Omit<CsvDialect, 'encoding' | 'sepLine'>,
  onRow: (cells: string[]) => void,
): Parser =>
  parse({
    delimiter: dialect.delimiter,
    quote: dialect.quoted ? '"' : null,
    escape: dialect.quoted ? '"' : null,
    // Named, not discovered: a file of mixed line ends must not have rows inside its rows.
    record_delimiter: dialect.onlyLineFeeds ? ['\n'] : ['\r\n', '\n', '\r'],
    // Only so that the reader can say which rows are of another width; each of them is an issue.
    relax_column_count: true,
    max_record_size: dialect.maxRecordBytes,
    bom: false,
  })
    .on('data', onRow)
    // Said by parseChunk and parseEnd; without a listener it would end the process.
    .on('error', () => {});

/** Resolves when all of it was parsed; rejects with what is wrong with it. */
export const parseChunk = (parser: Parser, chunk: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    parser.write(chunk, (error) => (error ? reject(error) : resolve()));
  });

/** Parses what the last chunk left open; every row was handed out when it resolves. */
export const parseEnd = (parser: Parser): Promise<void> => {
  parser.end();
  return finished(parser);
};

const chunksOf = (path: string, dialect: CsvDialect, signal?: AbortSignal): AsyncIterable<Buffer> => {
  const chunks = decodeText(path, dialect.encoding, signal);
  return dialect.sepLine ? withoutSepLine(chunks) : chunks;
};

/** The line on which a row begins; read again, for only a refusal needs it. */
const lineOf = async (path: string, dialect: CsvDialect, rowNumber: number): Promise<number> => {
  let line = dialect.sepLine ? 2 : 1;
  let row = 1;
  const parser = csvParser(dialect, (cells) => {
    if (row >= rowNumber) return;
    row += 1;
    line += 1;
    for (const cell of cells) line += cell.split(/\r\n|\r|\n/).length - 1;
  });
  try {
    for await (const chunk of chunksOf(path, dialect)) {
      await parseChunk(parser, chunk);
      if (row >= rowNumber) break;
    }
  } catch {
    // It ends with the error that brought us here, once more.
  }
  return line;
};

/** A record of which no end came within the limit. The parser counts the characters of values, and not what parts them. */
class RecordTooLong extends Error {
  readonly code = 'CSV_MAX_RECORD_SIZE';
}

const refusalOf = async (
  error: unknown,
  parser: Parser,
  path: string,
  dialect: CsvDialect,
): Promise<unknown> => {
  const code = (error as { code?: unknown }).code;
  if (error instanceof FileRefused || typeof code !== 'string' || !/^CSV_|^INVALID_/.test(code)) return error;
  const row = parser.info.records + 1;
  const where = `Row ${row} (line ${await lineOf(path, dialect, row)})`;
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return new FileRefused(
      'record_too_long',
      `${where} is longer than ${dialect.maxRecordBytes} bytes. Probably a quote (") is opened there and never closed, or it is nothing but separators.`,
      { cause: error },
    );
  }
  const what =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'opens a quote (") that is never closed, and would swallow the rows below it'
      : 'has a quote (") in the middle of a value';
  return new FileRefused(
    'broken_quote',
    `${where} ${what}. Double the quotes inside of quoted values, or set intake.quotes: false if " is an ordinary character in this file.`,
    { cause: error },
  );
};

/** A line within a value that looks like a whole row: then a quote that was opened by mistake swallowed it. */
const holdsRow = (cell: string, delimiter: string, width: number): boolean =>
  width >= 3 &&
  /[\r\n]/.test(cell) &&
  cell
    .split(/\r\n|\r|\n/)
    .slice(1)
    .some((line) => line.split(delimiter).length >= width);

/**
 * The rows of a CSV file with the numbers that a spreadsheet shows, in batches, without blank rows. Streamed: memory
 * does not grow with the file.
 *
 * @throws FileRefused `broken_quote`, `rows_swallowed`, `record_too_long`, `encoding_wrong`, `nul_byte`
 */
export async function* csvRows(
  path: string,
  dialect: CsvDialect,
  signal?: AbortSignal,
): AsyncGenerator<RawRow[], void, undefined> {
  let parsed: string[][] = [];
  const parser = csvParser(dialect, (cells) => parsed.push(cells));
  let rowNumber = 0;
  let width = 0;
  let bytesWithoutEnd = 0;
  /** The rows that were parsed since it was last asked. */
  const takeRows = async (mayHoldLines: boolean): Promise<RawRow[]> => {
    const rows: RawRow[] = [];
    for (const cells of parsed) {
      rowNumber += 1;
      if (mayHoldLines) {
        width = Math.max(width, cells.length);
        if (cells.some((cell) => holdsRow(cell, dialect.delimiter, width))) {
          throw new FileRefused(
            'rows_swallowed',
            `Row ${rowNumber} (line ${await lineOf(path, dialect, rowNumber)}) has a quoted value that contains whole rows: a quote (") was probably opened there by mistake, and those rows would be lost. Correct it, or set intake.quotes: false if " is an ordinary character in this file.`,
          );
        }
      }
      if (!cells.every((cell) => cell === '')) rows.push({ rowNumber, cells });
    }
    parsed = [];
    return rows;
  };
  try {
    for await (const chunk of chunksOf(path, dialect, signal)) {
      await parseChunk(parser, chunk);
      bytesWithoutEnd = parsed.length > 0 ? 0 : bytesWithoutEnd + chunk.length;
      if (bytesWithoutEnd > dialect.maxRecordBytes) throw new RecordTooLong();
      // More lines than rows so far: only then can a value hold a line break.
      const rows = await takeRows(parser.info.lines > parser.info.records + 1);
      for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
    }
    await parseEnd(parser);
    const last = await takeRows(true);
    if (last.length > 0) yield last;
  } catch (error) {
    throw await refusalOf(error, parser, path, dialect);
  } finally {
    parser.destroy();
  }
}
