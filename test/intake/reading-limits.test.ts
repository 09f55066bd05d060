import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { importBytes, importFile, refusalOf } from './support/import-file.ts';
import { rowXml, sheetXml, withSheet } from './support/sheet-xml.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const header = ['po_number', 'item_sku', 'quantity'];

describe('reading never exceeds the limits of time and memory', () => {
  // 3 million cells, too many for 64 MB in any library.
  const big = sheetXml(
    rowXml(1, header) +
      Array.from({ length: 150_000 }, (_, at) => rowXml(at + 2, [`PO-${at}`, `SKU-${at}`, '1'])).join(''),
  );

  test('a workbook that takes too long is stopped and refused, and the next file is read meanwhile', async () => {
    const slow = importBytes('a.xlsx', await withSheet(big), { limits: { timeoutMs: 300 } });
    const next = await importBytes('b.csv', 'po,sku,qty\nA,S1,1\n');
    expect(next.rows).toHaveLength(1);
    expect(refusalOf(await slow)).toMatchObject({
      code: 'too_slow',
      message: expect.stringContaining('0.3 s'),
    });
  });

  test('a workbook that takes too much memory is stopped and refused', async () => {
    const sheet = xlsx.utils.aoa_to_sheet([
      header,
      // Longer texts in fewer cells: SheetJS takes minutes to write many cells in this format.
      ...Array.from({ length: 20_000 }, (_, at) =>
        [at, 1, 2, 3, 4].map((cell) => `${at} ${cell} `.padEnd(250, 'x')),
      ),
    ]);
    const bytes = xlsx.write(
      { SheetNames: ['One'], Sheets: { One: sheet } },
      { type: 'buffer', bookType: 'biff8' },
    );
    const refusal = refusalOf(await importBytes('a.xls', bytes as Buffer, { limits: { memoryMb: 32 } }));
    expect(refusal).toMatchObject({ code: 'too_much_memory', message: expect.stringContaining('32 MB') });
  });

  test('shared strings that cannot fit are refused before they are read', async () => {
    const bytes = await writeWorkbook({
      sheets: [{ name: 'One', rows: [header] }],
      shared: true,
      parts: { 'xl/sharedStrings.xml': ' '.repeat(12 * 1024 * 1024) },
    });
    const refusal = refusalOf(await importBytes('a.xlsx', bytes, { limits: { memoryMb: 32 } }));
    expect(refusal.code).toBe('too_much_memory');
  });

  test('an aborted import stops its child process', async () => {
    const giveUp = new AbortController();
    const running = importBytes('a.xlsx', await withSheet(big), {}, { signal: giveUp.signal });
    giveUp.abort(new Error('shutting down'));
    await expect(running).rejects.toThrow('shutting down');
  });

  test('a line of 1 GB is refused in flat memory', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-long-'));
    const file = path.join(folder, 'long.csv');
    try {
      await writeFile(file, 'po_number,item_sku,quantity\nA,S1,1\nB,"');
      const handle = await open(file, 'a');
      const block = Buffer.alloc(1 << 20, 'x');
      for (let at = 0; at < 1024; at += 1) await handle.write(block);
      await handle.close();
      const before = process.memoryUsage().rss;
      expect(refusalOf(await importFile(file, { limits: { maxFileBytes: 2 ** 31 } })).code).toBe(
        'record_too_long',
      );
      expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
