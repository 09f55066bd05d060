// Reading a workbook of 300,000 rows × 12 columns, compared with SheetJS alone in the same run. Each reader runs in its
// own process; ours is measured in normal use, including its child process and the transfer of rows.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import * as xlsx from 'xlsx';
import yazl from 'yazl';
import { openSpreadsheet } from '../src/intake/formats/spreadsheet/open-spreadsheet.ts';
import { openXlsx } from '../src/intake/formats/spreadsheet/open-xlsx.ts';
import { openZip } from '../src/intake/formats/spreadsheet/zip-parts.ts';
import { defaultIntakeOptions } from '../test/support/default-intake-options.ts';
import type { Figure } from './support/figures.ts';

const columns = 'ABCDEFGHIJKL';
const sharedTexts = 90_000;
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelations = 'http://schemas.openxmlformats.org/package/2006/relationships';

function* sheetXml(rows: number): Generator<string> {
  yield `<?xml version="1.0"?><worksheet xmlns="${main}"><dimension ref="A1:L${rows}"/><sheetData>`;
  for (let row = 1; row <= rows; row += 1) {
    let text = `<row r="${row}" spans="1:12">`;
    for (let at = 0; at < 12; at += 1) {
      const place = `r="${columns[at]}${row}"`;
      if (at === 9) text += `<c ${place}><v>${1 + (row % 9)}</v></c>`;
      else if (at === 11) text += `<c ${place}><v>${(row % 9999) / 100}</v></c>`;
      else text += `<c ${place} t="s"><v>${(row * 12 + at) % sharedTexts}</v></c>`;
    }
    yield `${text}</row>`;
  }
  yield '</sheetData></worksheet>';
}

function* stringsXml(): Generator<string> {
  yield `<sst xmlns="${main}" uniqueCount="${sharedTexts}">`;
  for (let at = 0; at < sharedTexts; at += 1) yield `<si><t>Text number ${at} of the table</t></si>`;
  yield '</sst>';
}

const writeWorkbook = async (file: string, rows: number): Promise<void> => {
  const zip = new yazl.ZipFile();
  const add = (name: string, xml: string) => zip.addBuffer(Buffer.from(xml), name);
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`;
  add(
    '[Content_Types].xml',
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
  );
  add(
    '_rels/.rels',
    `<Relationships xmlns="${packageRelations}">${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  );
  add(
    'xl/workbook.xml',
    `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  );
  add(
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${packageRelations}">${relation('rId1', 'worksheet', 'worksheets/sheet1.xml')}${relation('rId2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
  );
  zip.addReadStream(Readable.from(sheetXml(rows), { objectMode: false }), 'xl/worksheets/sheet1.xml');
  zip.addReadStream(Readable.from(stringsXml(), { objectMode: false }), 'xl/sharedStrings.xml');
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file));
};

const limits = { ...defaultIntakeOptions.limits, timeoutMs: 600_000 };

const parts: Record<string, (file: string) => Promise<number>> = {
  sheetjs: async (file) => {
    const book = xlsx.read(await readFile(file), { type: 'buffer', dense: true });
    return xlsx.utils.sheet_to_json(book.Sheets.Orders!, { header: 1 }).length;
  },
  reader: async (file) => {
    const book = await openXlsx(await openZip(file, limits.maxInflatedBytes), limits);
    let rows = 0;
    for await (const batch of book.rows(0)) rows += batch.length;
    return rows;
  },
  whole: async (file) => {
    const source = await openSpreadsheet({ path: file, kind: 'zip', limits, signal: undefined });
    let rows = 0;
    for await (const batch of source.rows(0)) rows += batch.length;
    return rows;
  },
};

const self = fileURLToPath(import.meta.url);

interface Measured {
  seconds: number;
  peakMb: number;
  rows: number;
}

const inChild = async (part: string, file: string): Promise<Measured> => {
  const child = fork(self, [], { execArgv: self.endsWith('.ts') ? ['--import', 'tsx'] : [] });
  child.send({ part, file });
  const ended = once(child, 'exit').then(() => [undefined]);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Measured | undefined];
  if (!answer) throw new Error(`${part} failed`);
  return answer;
};

/** @param options.rows rows of the workbook */
export const run = async (options: { rows?: number } = {}): Promise<Figure[]> => {
  const rows = options.rows ?? 300_000;
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  try {
    const file = path.join(folder, 'orders.xlsx');
    await writeWorkbook(file, rows);
    const sheetjs = await inChild('sheetjs', file);
    const reader = await inChild('reader', file);
    const whole = await inChild('whole', file);
    for (const { rows: read } of [sheetjs, reader, whole])
      if (read !== rows) throw new Error(`${read} of ${rows} rows`);
    return [
      { name: `SheetJS alone, ${rows} rows`, value: sheetjs.seconds, unit: 's' },
      { name: 'SheetJS alone, memory', value: Math.round(sheetjs.peakMb), unit: 'MB' },
      { name: 'reader alone', value: reader.seconds, unit: 's' },
      { name: 'reader, memory', value: Math.round(reader.peakMb), unit: 'MB' },
      { name: 'reader with its child process', value: whole.seconds, unit: 's' },
      { name: 'memory / SheetJS alone', value: reader.peakMb / sheetjs.peakMb, target: '<= 0.4' },
      { name: 'time / SheetJS alone', value: whole.seconds / sheetjs.seconds, target: '<= 0.6' },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

if (process.send) {
  process.once('message', async (task: { part: string; file: string }) => {
    const startedAt = performance.now();
    const rows = await parts[task.part]!(task.file);
    const seconds = (performance.now() - startedAt) / 1000;
    process.send!({ seconds, peakMb: process.resourceUsage().maxRSS / 1024, rows }, () => process.exit(0));
  });
}
