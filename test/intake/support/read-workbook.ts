import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openXlsx } from '../../../src/intake/formats/spreadsheet/open-xlsx.ts';
import { openZip } from '../../../src/intake/formats/spreadsheet/zip-parts.ts';
import { intakeOptionsSchema } from '../../../src/intake/options.ts';
import type { RawRow } from '../../../src/intake/types.ts';
import { type TestWorkbook, writeWorkbook } from './write-workbook.ts';

const { limits } = intakeOptionsSchema.parse({});

/** The rows of a workbook's first sheet, read in this process, because a child process would cost each test a second. */
export const readWorkbook = async (book: TestWorkbook): Promise<RawRow[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-workbook-'));
  const file = path.join(folder, 'a.xlsx');
  try {
    await writeFile(file, await writeWorkbook(book));
    const workbook = await openXlsx(await openZip(file, limits.maxInflatedBytes), limits);
    const rows: RawRow[] = [];
    for await (const batch of workbook.rows(0)) rows.push(...batch);
    workbook.close();
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
