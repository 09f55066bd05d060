import { FileRefused } from '../../../errors.ts';
import { findLayout } from '../../columns/find-layout.ts';
import type { IntakeOptions } from '../../options.ts';
import { type Detection, headRows, type RawRow, type TableSource } from '../../types.ts';
import { type CsvDialect, csvRows, readCsv } from './csv-rows.ts';
import { decodeText } from './decode-text.ts';
import { surveyText } from './survey-text.ts';

const delimiters = [',', ';', '\t', '|'];
const nameOf = (delimiter: string) => (delimiter === '\t' ? 'tab' : delimiter);
const sampleBytes = 1 << 18;

/** The first rows, split by this delimiter; undefined if it breaks quotes. */
const headOf = async (sample: Buffer, whole: boolean, dialect: CsvDialect): Promise<RawRow[] | undefined> => {
  const rows: RawRow[] = [];
  let rowNumber = 0;
  const parser = readCsv(dialect, (cells) => {
    rowNumber += 1;
    if (rows.length < headRows && cells.some((cell) => cell !== '')) rows.push({ rowNumber, cells });
  });
  try {
    await parser.take(sample);
    if (whole) await parser.end();
  } catch {
    // A record longer than the sample does not invalidate the rows before it.
    return rows.length > 0 ? rows : undefined;
  }
  return rows;
};

const sampleOf = async (path: string, encoding: string, signal?: AbortSignal) => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decodeText(path, encoding, signal)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= sampleBytes) return { sample: Buffer.concat(chunks), whole: false };
  }
  return { sample: Buffer.concat(chunks), whole: true };
};

interface Choice {
  delimiter: string;
  head: RawRow[];
  /** Number of fields recognised in the header. */
  matched: number;
  /** The header has all required fields. */
  complete: boolean;
  /** Columns of the widest row. */
  width: number;
  /** All rows have the same number of columns, and more than one. */
  even: boolean;
}

const better = (a: Choice, b: Choice) =>
  Number(b.complete) - Number(a.complete) ||
  b.matched - a.matched ||
  Number(b.even) - Number(a.even) ||
  b.width - a.width;

const choose = async (
  sample: Buffer,
  whole: boolean,
  options: IntakeOptions,
  dialect: Omit<CsvDialect, 'delimiter'>,
): Promise<Choice> => {
  const choices: Choice[] = [];
  for (const delimiter of delimiters) {
    const head = await headOf(sample, whole, { ...dialect, delimiter });
    if (!head) continue;
    const { search } = findLayout({ head }, options);
    const matched = search.kind === 'found' ? search.header.matched : search.matched;
    const width = Math.max(0, ...head.map((row) => row.cells.length));
    const even = width > 1 && head.every((row) => row.cells.length === width);
    choices.push({ delimiter, head, matched, complete: search.kind === 'found', width, even });
  }
  choices.sort(better);
  const [first, second] = choices;
  if (!first) return { delimiter: ',', head: [], matched: 0, complete: false, width: 0, even: false };
  if (second?.complete && second.matched === first.matched && second.width > 1) {
    throw new FileRefused(
      'delimiter_ambiguous',
      `Both ${nameOf(first.delimiter)} and ${nameOf(second.delimiter)} could be the delimiter of this file. Set intake.delimiter of the account to the right one.`,
    );
  }
  return first;
};

const whyChosen = ({ complete, matched, even }: Choice): string => {
  if (complete) return `${matched} header fields are recognised with it`;
  return even
    ? 'no delimiter gives a complete header; with this one all rows have the same number of columns'
    : 'no delimiter gives a complete header; this one gives the most columns';
};

const sepOf = (sample: Buffer): string | undefined =>
  /^"?sep=(.)"?(?:\r\n|\r|\n)/i.exec(sample.toString('utf8', 0, 16))?.[1];

/**
 * Opens a text file as a CSV table. Encoding and delimiter are detected or taken from `recorded`; rows are streamed.
 *
 * @throws FileRefused with the codes of `surveyText` and `csvRows`; `delimiter_ambiguous`
 */
export const openCsv = async (
  path: string,
  options: IntakeOptions,
  recorded: Detection | undefined,
  signal: AbortSignal | undefined,
): Promise<TableSource> => {
  const survey = await surveyText(
    path,
    { ...options, encoding: recorded?.encoding ?? options.encoding },
    signal,
  );
  const { sample, whole } = await sampleOf(path, survey.encoding, signal);
  const sep = sepOf(sample);
  const body =
    sep === undefined ? sample : sample.subarray(sample.indexOf(sample.includes(10) ? 10 : 13) + 1);
  const base = {
    encoding: survey.encoding,
    quoted: recorded?.quoted ?? options.quotes,
    sepLine: sep !== undefined,
    maxRecordBytes: options.limits.maxRecordBytes,
    onlyLineFeeds: survey.onlyLineFeeds,
    spacedQuotes: survey.spacedQuotes,
  };
  const asked = options.delimiter === 'tab' ? '\t' : options.delimiter;
  const given = recorded?.delimiter ?? asked ?? sep;
  const choice = given === undefined ? await choose(body, whole, options, base) : undefined;
  const delimiter = given ?? choice!.delimiter;
  const head = choice ? choice.head : ((await headOf(body, whole, { ...base, delimiter })) ?? []);
  const why = choice
    ? whyChosen(choice)
    : asked !== undefined
      ? 'set by the account'
      : 'set by the first line of the file (sep=)';
  const dialect: CsvDialect = { ...base, delimiter };
  // If there is no row, a full read throws the reason, unless the file is just empty.
  if (head.length === 0) for await (const _ of csvRows(path, dialect, signal)) break;
  return {
    format: 'csv',
    decisions: [
      survey.decision,
      { what: 'delimiter', decided: nameOf(delimiter), why, override: 'intake.delimiter' },
      ...(survey.endsWithLineEnd
        ? []
        : [
            {
              what: 'rows' as const,
              decided: 'the last row is treated as complete',
              why: 'it has all its columns, but no line end follows; check its last value if the file may have been cut off',
              override: undefined,
            },
          ]),
    ],
    endsOpen: !survey.endsWithLineEnd,
    encoding: survey.encoding,
    ...(survey.doubt ? { doubt: survey.doubt } : {}),
    delimiter,
    quoted: base.quoted,
    tables: [{ name: undefined, hidden: false, head }],
    rows: (_, headers) => csvRows(path, dialect, signal, headers),
    close: () => {},
  };
};
