import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileRefused } from '../../src/errors.ts';
import { openXlsx } from '../../src/intake/formats/spreadsheet/open-xlsx.ts';
import { openZip } from '../../src/intake/formats/spreadsheet/zip-parts.ts';
import { defaultIntakeOptions } from '../support/default-intake-options.ts';
import { type Imported, importBytes, importFile } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

// CARTWRIGHT_FUZZ=20000 runs the whole corpus (some minutes); CI runs a fixed share of it, always the same seeds.
const generated = Number(process.env.CARTWRIGHT_FUZZ ?? 900);
const firstSeed = 20261120;

/** mulberry32: the same numbers for the same seed, everywhere. */
const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

let folder: string;
let bases: Buffer[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cartwright-fuzz-'));
  const fixtures = new URL('../fixtures/dealer-files/', import.meta.url);
  const names = (await readdir(fixtures)).filter((name) => name.endsWith('.csv')).sort();
  bases = await Promise.all(names.map((name) => readFile(new URL(name, fixtures))));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const pieces = [
  '"',
  '""',
  ',',
  ';',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\0',
  'é',
  '\ufeff',
  '-1',
  '0',
  '9'.repeat(30),
  '=1+1',
  "'",
  '\u0085',
  '\u2028',
  '😀',
  ',,,,,,,,,,',
  'po_number',
  'TOTAL',
  ' '.repeat(300),
];

/** Applies one to four realistic kinds of damage to a file. */
const mutate = (base: Buffer, random: (below: number) => number): Buffer => {
  let bytes = Buffer.from(base);
  for (let changes = 1 + random(4); changes > 0; changes -= 1) {
    const at = random(bytes.length + 1);
    const length = random(60);
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(Math.min(bytes.length, at + length));
    const kind = random(7);
    if (kind === 0)
      bytes = Buffer.concat([before, Buffer.from(pieces[random(pieces.length)]!), bytes.subarray(at)]);
    else if (kind === 1) bytes = Buffer.concat([before, after]);
    else if (kind === 2) bytes = Buffer.concat([before, bytes.subarray(at, at + length), bytes.subarray(at)]);
    else if (kind === 3) bytes = Buffer.from(before.length > 0 ? before : bytes);
    else if (kind === 4 && bytes.length > 0) bytes[random(bytes.length)] = random(256);
    else if (kind === 5)
      bytes = Buffer.concat([before, Buffer.from([random(256), random(256)]), bytes.subarray(at)]);
    else bytes = Buffer.concat([bytes, base.subarray(random(base.length))]);
  }
  return bytes;
};

/** Files must be read, or refused with a sentence, and a PO without issues must have lines that the service accepts. */
const judge = ({ outcome, rows, refusals }: Imported): void => {
  if (outcome.kind === 'refused') {
    expect(outcome.code).toMatch(/^[a-z_]+$/);
    expect(outcome.message).toMatch(/^[A-Z].{10,}[.?]$/s);
    return;
  }
  const keptBack = new Set(refusals.map((issue) => issue.poNumber));
  for (const row of rows) {
    if (keptBack.has(row.poNumber)) continue;
    expect(row.poNumber).toBeTruthy();
    expect((row.itemSku === undefined) !== (row.itemId === undefined)).toBe(true);
    expect(row.quantity).toBeGreaterThan(0);
    expect(() => JSON.parse(row.options)).not.toThrow();
  }
  for (const issue of refusals) {
    expect(issue.message).toMatch(/\.$/);
    expect(issue.rowNumber).toBeGreaterThan(0);
  }
};

describe('files with any content', () => {
  test(`${generated} damaged CSV files are read or refused with a reason, never a crash`, async () => {
    const file = path.join(folder, 'orders.csv');
    for (let at = 0; at < generated; at += 1) {
      const seed = firstSeed + at;
      const random = randomOf(seed);
      await writeFile(file, mutate(bases[random(bases.length)]!, random));
      try {
        judge(await importFile(file));
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  }, 900_000);

  test(`${Math.ceil(generated / 3)} damaged workbooks are read or refused with a reason, never a crash`, async () => {
    const file = path.join(folder, 'orders.xlsx');
    const table = [
      ['po_number', 'item_sku', 'quantity', 'note'],
      ['A', '0012', '1', 'x & y'],
      ['B', '1E5', '2', '<z>'],
    ];
    const xml = (rows: string) =>
      `<worksheet><sheetData>${rows}</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>`;
    const sheet = xml(
      table
        .map(
          (cells, row) =>
            `<row r="${row + 1}">${cells.map((cell, column) => `<c r="${'ABCD'[column]}${row + 1}" t="inlineStr"><is><t>${cell.replace(/[&<>]/g, '')}</t></is></c>`).join('')}</row>`,
        )
        .join(''),
    );
    const whole = await writeWorkbook({ sheets: [{ name: 'One', rows: table }], shared: true });
    const limits = { ...defaultIntakeOptions.limits, maxInflatedBytes: 1 << 24 };
    for (let at = 0; at < generated / 3; at += 1) {
      const seed = firstSeed + at;
      const random = randomOf(seed);
      // Half of them have a damaged archive, the other half a damaged sheet in an intact archive.
      const bytes =
        random(2) === 0
          ? mutate(whole, random)
          : await writeWorkbook({
              sheets: [{ name: 'One', rows: [], xml: mutate(Buffer.from(sheet), random).toString('utf8') }],
            });
      await writeFile(file, bytes);
      try {
        const workbook = await openXlsx(await openZip(file, limits.maxInflatedBytes), limits);
        for (let table = 0; table < workbook.tables.length; table += 1) {
          for await (const rows of workbook.rows(table))
            for (const row of rows) expect(row.rowNumber).toBeGreaterThan(0);
        }
        workbook.close();
      } catch (error) {
        // The child reports all other read errors as a damaged workbook, which must not hide a failed expectation.
        if (!(error instanceof FileRefused) && (error as Error).name === 'AssertionError')
          throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  }, 900_000);
});

describe('nasty cells are kept, cleaned with a note, or refused; never changed silently', () => {
  const nasty = [
    '0',
    '00',
    '0.0',
    '-0',
    '1e5',
    '1E5',
    '1E+5',
    '1.5E+12',
    'Infinity',
    'NaN',
    'null',
    'undefined',
    'true',
    'FALSE',
    '__proto__',
    'constructor',
    'toString',
    '=1+1',
    '+1',
    '-1',
    '@a',
    "'=1",
    "'x",
    '"q"',
    '="00501"',
    '=""',
    '#N/A',
    '#REF!',
    '1-Mar',
    'Mar-01',
    '2026-03-01',
    '3/1/2026',
    '1,000',
    '1.000',
    '1 000',
    '１２',
    '١٢',
    'Ⅻ',
    '½',
    '\u00a0x\u00a0',
    'x\u200by',
    '\ufeffx',
    'x\u00ady',
    '\u202ex',
    'a\u0301',
    'é',
    'ß',
    'İ',
    '😀',
    '👨‍👩‍👧',
    '\u0000x'.slice(1),
    'a\tb',
    'a\nb',
    'a\rb',
    'a\\nb',
    '\\N',
    '\\',
    '%2F',
    '../..',
    '.',
    '..',
    'a/b',
    'x'.repeat(31),
    'x'.repeat(201),
    '; drop table lines; --',
    '<b>',
    '{{7*7}}',
    '$' + '{x}',
  ];
  const columns = [
    'po_number',
    'item_sku',
    'quantity',
    'ship_zip',
    'ship_name',
    'promo_code',
    'note',
  ] as const;

  test.each(columns)('%s', async (column) => {
    for (const cell of nasty) {
      const values = {
        po_number: 'A',
        item_sku: 'S1',
        quantity: '1',
        ship_zip: '',
        ship_name: '',
        promo_code: '',
        note: '',
        [column]: cell,
      };
      const text = [Object.keys(values), Object.values(values)]
        .map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))
        .join('\n');
      const imported = await importBytes('a.csv', `${text}\n`);
      judge(imported);
      expect(imported.outcome.kind, cell).toBe('read');
      const row = imported.rows[0];
      if (!row) {
        expect(imported.issues, cell).not.toEqual([]);
        continue;
      }
      const kept =
        column === 'po_number'
          ? row.poNumber
          : column === 'quantity'
            ? String(row.quantity)
            : column === 'item_sku'
              ? row.itemSku
              : column === 'note'
                ? row.note
                : JSON.parse(row.options)[column];
      const same =
        kept === cell.trim() ||
        (column === 'quantity' && row.quantity === Number(cell)) ||
        (/^'[=+\-@]/.test(cell) && kept === cell.slice(1));
      if (!same)
        expect(
          imported.issues.filter((issue) => issue.column === column),
          cell,
        ).not.toEqual([]);
    }
  });
});
