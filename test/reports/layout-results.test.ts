import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { importFile, ordersOf } from '../intake/support/import-file.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

const samples = fileURLToPath(new URL('../../samples/layouts/', import.meta.url));
const { accounts } = loadConfig({ file: `${samples}cartwright.yaml` }, {});
const files = (await readdir(samples)).filter((name) => name !== 'cartwright.yaml').sort();

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

test.each(files)('the result file of %s comes back as the same purchase orders', async (name) => {
  const { intake } = accounts.find((account) => name.startsWith(`${account.name}-`))!;
  const first = await importFile(samples + name, intake, { fileName: name });
  const importId = await desk.take(name, await readFile(samples + name), { intake });
  const path = await desk.result(importId);
  const again = await importFile(path, intake, { fileName: basename(path) });
  expect(again.refusals).toEqual([]);
  expect(ordersOf(again)).toEqual(ordersOf(first));
  expect(ordersOf(first).length).toBeGreaterThan(0);
});
