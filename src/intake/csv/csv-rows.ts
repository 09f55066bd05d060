import { pipeline, Readable } from 'node:stream';
import { pipeline as finished } from 'node:stream/promises';
import { type Parser, parse } from 'csv-parse';
import { FileRefused } from '../../errors.ts';
import type { RawRow } from '../types.ts';
import { decodeText } from './decode-text.ts';

export interface CsvDialect {
  encoding: string;
  delimiter: string;
  quoted: boolean;
  /** The file begins with `sep=;`, a line that spreadsheets do not show. */
  sepLine: boolean;
  maxRecordBytes: number;
}

const batchRows = 500;

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
 * A parser of the dialect. With `onRecord` rows go there, at once and even when the row after them breaks, and not
 * into the stream.
 */
export const csvParser = (
  dialect: Omit<CsvDialect, 'encoding' | 'sepLine'>,
  onRecord?: (cells: string[]) => void,
): Parser => {
  const options = {
    delimiter: dialect.delimiter,
    quote: dialect.quoted ? '"' : null,
    escape: dialect.quoted ? '"' : null,
    // Named, not discovered: a file of mixed line ends must not have rows inside its rows.
    record_delimiter: ['\r\n', '\n', '\r'],
    // Only so that the reader can say which rows are of another width; each of them is an issue.
    relax_column_count: true,
    max_record_size: dialect.maxRecordBytes,
    bom: false,
    // Rows that may wait; with a stream's default of 16 it stops and starts a quarter of the time.
    readableHighWaterMark: batchRows,
    ...(onRecord ? { on_record: (cells: string[]) => void onRecord(cells) } : {}),
  };
  return parse(options);
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
  // It ends with the error that brought us here, once more.
  await finished(chunksOf(path, dialect), parser.resume()).catch(() => {});
  return line;
};

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
      `${where} is longer than ${dialect.maxRecordBytes} bytes. Probably a quote (") is opened there and never closed.`,
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
  const parser = csvParser(dialect);
  const source = Readable.from(chunksOf(path, dialect, signal));
  pipeline(source, parser, () => {});
  let batch: RawRow[] = [];
  let rowNumber = 0;
  let width = 0;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      rowNumber += 1;
      // More lines than rows so far: only then can a value hold a line break.
      if (parser.info.lines > parser.info.records + 1) {
        width = Math.max(width, cells.length);
        if (
          cells.some(
            (cell) =>
              (cell.includes('\n') || cell.includes('\r')) && holdsRow(cell, dialect.delimiter, width),
          )
        ) {
          throw new FileRefused(
            'rows_swallowed',
            `Row ${rowNumber} (line ${await lineOf(path, dialect, rowNumber)}) has a quoted value that contains whole rows: a quote (") was probably opened there by mistake, and those rows would be lost. Correct it, or set intake.quotes: false if " is an ordinary character in this file.`,
          );
        }
      }
      if (cells.every((cell) => cell === '')) continue;
      batch.push({ rowNumber, cells });
      if (batch.length >= batchRows) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  } catch (error) {
    throw await refusalOf(error, parser, path, dialect);
  } finally {
    source.destroy();
    parser.destroy();
  }
}
