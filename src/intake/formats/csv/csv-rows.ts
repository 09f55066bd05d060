import { finished } from 'node:stream/promises';
import { type Parser, parse } from 'csv-parse';
import { FileRefused } from '../../../errors.ts';
import type { RawRow } from '../../types.ts';
import { decodeText } from './decode-text.ts';
import { createInnerQuotes } from './inner-quotes.ts';
import { holdsRow } from './swallowed-rows.ts';

const batchRows = 500;

export interface CsvDialect {
  encoding: string;
  delimiter: string;
  quoted: boolean;
  /** The file begins with a line such as `sep=;`, which spreadsheets hide. */
  sepLine: boolean;
  maxRecordBytes: number;
  /** The file contains no carriage return. */
  onlyLineFeeds: boolean;
  /** Quoted values may be surrounded by blanks: `"A1", "B2" , 3`. All values are then trimmed. */
  spacedQuotes: boolean;
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

export interface CsvReading {
  /** Resolves when the whole chunk is parsed; rejects with the parser's error. */
  take(chunk: Buffer): Promise<void>;
  /** Parses the rest of the last chunk; resolves when every row was passed to `onRow`. */
  end(): Promise<void>;
  info: Parser['info'];
  destroy(): void;
}

/**
 * Creates a parser for the dialect. It passes each row to `onRow` during `take`, even when the next row is broken, with the positions of
 * cells that contain a quote which is not an inch sign. Reading the rows from the stream instead would be slower (an iterator costs one
 * promise per row) and would keep processed rows in memory.
 */
export const readCsv = (
  dialect: Omit<CsvDialect, 'encoding' | 'sepLine'>,
  onRow: (cells: string[], oddQuotes: readonly number[]) => void,
): CsvReading => {
  const { delimiter, quoted, spacedQuotes } = dialect;
  // With multi-byte delimiters, a quote in the middle of a value is refused.
  const innerQuotes =
    quoted && /^[\0-\x7f]$/.test(delimiter) ? createInnerQuotes(delimiter, spacedQuotes) : undefined;
  const parser = parse({
    delimiter,
    quote: quoted ? '"' : null,
    escape: quoted ? '"' : null,
    // Set explicitly: with detection, a file with mixed line ends could have several rows inside one row.
    record_delimiter: dialect.onlyLineFeeds ? ['\n'] : ['\r\n', '\n', '\r'],
    // Rows of a different width are reported as issues, one by one.
    relax_column_count: true,
    max_record_size: dialect.maxRecordBytes,
    bom: false,
    trim: quoted && spacedQuotes,
  })
    .on('data', (cells: string[]) => onRow(cells, innerQuotes?.restore(cells) ?? []))
    // `take` and `end` report the error; without this listener it would end the process.
    .on('error', () => {});
  return {
    take: (chunk) =>
      new Promise((resolve, reject) => {
        parser.write(innerQuotes?.hide(chunk) ?? chunk, (error) => (error ? reject(error) : resolve()));
      }),
    end: () => {
      parser.end();
      return finished(parser);
    },
    info: parser.info,
    destroy: () => parser.destroy(),
  };
};

const chunksOf = (path: string, dialect: CsvDialect, signal?: AbortSignal): AsyncIterable<Buffer> => {
  const chunks = decodeText(path, dialect.encoding, signal);
  return dialect.sepLine ? withoutSepLine(chunks) : chunks;
};

/** The line on which a row begins. Reads the file again; needed only for refusals. */
const lineOf = async (path: string, dialect: CsvDialect, rowNumber: number): Promise<number> => {
  let line = dialect.sepLine ? 2 : 1;
  let row = 1;
  const parser = readCsv(dialect, (cells) => {
    if (row >= rowNumber) return;
    row += 1;
    line += 1;
    for (const cell of cells) line += cell.split(/\r\n|\r|\n/).length - 1;
  });
  try {
    for await (const chunk of chunksOf(path, dialect)) {
      await parser.take(chunk);
      if (row >= rowNumber) break;
    }
  } catch {
    // The error that is being reported occurs again here.
  }
  return line;
};

/** `column 4 ("Note")`; only the number if the header is unknown. */
const nameColumn = (at: number, headers: readonly string[] | undefined): string => {
  const header = headers?.[at];
  const number = `column ${at + 1}`;
  return header === undefined || header === '' || header === number
    ? number
    : `${number} ("${header.slice(0, 40)}")`;
};

/**
 * Thrown when a record is longer than the limit. The parser has a limit too, but counts only the characters of values,
 * not the delimiters.
 */
class RecordTooLong extends Error {
  readonly code = 'CSV_MAX_RECORD_SIZE';
}

const refusalOf = async (
  error: unknown,
  parser: CsvReading,
  path: string,
  dialect: CsvDialect,
  headers: readonly string[] | undefined,
): Promise<unknown> => {
  const { code, column } = error as { code?: unknown; column?: unknown };
  if (error instanceof FileRefused || typeof code !== 'string' || !/^CSV_|^INVALID_/.test(code)) return error;
  const row = parser.info.records + 1;
  const where = `Row ${row} (line ${await lineOf(path, dialect, row)})`;
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return new FileRefused(
      'record_too_long',
      `${where} is longer than ${dialect.maxRecordBytes} bytes. Probably it opens a quote (") that is never closed, or it consists only of separators.`,
      { cause: error },
    );
  }
  const cell = typeof column === 'number' ? `${where}, ${nameColumn(column, headers)},` : where;
  const what =
    code === 'CSV_QUOTE_NOT_CLOSED'
      ? 'opens a quote (") that is never closed, so the rows below it would be lost. Remove it or close it, and write'
      : 'has characters after the quote (") that closes the value. Remove them, or enclose the whole value in quotes and write';
  return new FileRefused(
    'broken_quote',
    `${cell} ${what} "" for each quote inside a quoted value. If no value of the file is enclosed in quotes and " is an ordinary character (inches), set intake.quotes: false.`,
    { cause: error },
  );
};

/**
 * The rows of a CSV file in batches, numbered as a spreadsheet shows them, without blank rows. Streams the file: memory
 * does not grow with its size. `headers` name the columns in a refusal.
 *
 * @throws FileRefused `broken_quote`, `rows_swallowed`, `record_too_long`, `encoding_wrong`, `nul_byte`
 */
export async function* csvRows(
  path: string,
  dialect: CsvDialect,
  signal?: AbortSignal,
  headers?: readonly string[],
): AsyncGenerator<RawRow[], void, undefined> {
  let parsed: { cells: string[]; oddQuotes: readonly number[] }[] = [];
  const parser = readCsv(dialect, (cells, oddQuotes) => parsed.push({ cells, oddQuotes }));
  let rowNumber = 0;
  let width = 0;
  let bytesWithoutEnd = 0;
  /** The rows parsed since the last call. */
  const takeRows = async (mayHoldLines: boolean): Promise<RawRow[]> => {
    const rows: RawRow[] = [];
    for (const { cells, oddQuotes } of parsed) {
      rowNumber += 1;
      if (mayHoldLines) {
        // Two joined rows are wider than the table, so the width of the rows above counts.
        const above = width === 0 ? cells.length : width;
        width = Math.max(width, cells.length);
        const opened = cells.findIndex((_, at) => holdsRow(cells, at, dialect.delimiter, above));
        if (opened >= 0) {
          throw new FileRefused(
            'rows_swallowed',
            `Row ${rowNumber} (line ${await lineOf(path, dialect, rowNumber)}), ${nameColumn(opened, headers)}, has a quoted value that contains whole rows: probably a quote (") was opened there by mistake, and those rows would be lost. Correct the value, or set intake.quotes: false if " is an ordinary character in this file.`,
          );
        }
      }
      if (cells.every((cell) => cell.trim() === '')) continue;
      const annotations = oddQuotes.map((column) => ({ column, kind: 'inner_quote' as const }));
      rows.push(annotations.length > 0 ? { rowNumber, cells, annotations } : { rowNumber, cells });
    }
    parsed = [];
    return rows;
  };
  try {
    for await (const chunk of chunksOf(path, dialect, signal)) {
      await parser.take(chunk);
      bytesWithoutEnd = parsed.length > 0 ? 0 : bytesWithoutEnd + chunk.length;
      if (bytesWithoutEnd > dialect.maxRecordBytes) throw new RecordTooLong();
      // A value can contain a line break only if there were more lines than rows so far.
      const rows = await takeRows(parser.info.lines > parser.info.records + 1);
      for (let at = 0; at < rows.length; at += batchRows) yield rows.slice(at, at + batchRows);
    }
    await parser.end();
    const last = await takeRows(true);
    if (last.length > 0) yield last;
  } catch (error) {
    throw await refusalOf(error, parser, path, dialect, headers);
  } finally {
    parser.destroy();
  }
}
