import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify/sync';
import { type TextEncoding, textEncodingFor } from './encode-text.ts';
import { neutralise } from './neutralise.ts';

export interface CsvStyle {
  delimiter: string;
  /** False: `"` is an ordinary character in this file. */
  quoted: boolean;
  encoding: TextEncoding;
}

/** The default CSV style. Spreadsheet programs recognise UTF-8 only by its byte order mark. */
export const plainCsv: CsvStyle = { delimiter: ',', quoted: true, encoding: textEncodingFor('utf-8-bom') };

/** The library quotes only for the style's own row ending, but a cell with any other line break would also end its row. */
export const lineBreak = /[\r\n]/;

/** Without quotes a cell cannot contain separators or line breaks, so they become spaces. */
const unquotable = (text: string, delimiter: string): string =>
  text.replace(/[\r\n]+/g, ' ').replaceAll(delimiter, ' ');

/** Writes a CSV file from batches of rows; memory does not grow with the file. `numeric` marks the columns of numbers. */
export const writeCsvFile = async (
  path: string,
  batches: AsyncIterable<readonly (readonly string[])[]>,
  style: CsvStyle,
  numeric: readonly boolean[],
): Promise<void> => {
  const { delimiter, quoted, encoding } = style;
  const cell = (text: string, at: number): string => {
    const safe = neutralise(text, numeric[at] === true);
    return quoted ? safe : unquotable(safe, delimiter);
  };
  async function* encoded(): AsyncGenerator<Buffer> {
    if (encoding.mark.length > 0) yield encoding.mark;
    for await (const rows of batches) {
      const text = stringify(
        rows.map((row) => row.map(cell)),
        { delimiter, quote: quoted ? '"' : '', record_delimiter: '\r\n', quoted_match: lineBreak },
      );
      yield encoding.encode(text);
    }
  }
  await pipeline(Readable.from(encoded(), { objectMode: false }), createWriteStream(path));
};
