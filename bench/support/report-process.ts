// Writes one status report, the same rows with SheetJS alone, or one result file, in its own process, and reports the
// time and the peak memory.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as xlsx from 'xlsx';
import { createPool } from '../../src/ledger/pool.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { silentLogger } from '../../src/logger.ts';
import { lineColumns, linesOf } from '../../src/reports/line-columns.ts';
import { orderColumns, type ReportColumn } from '../../src/reports/order-columns.ts';
import { writeResultFile } from '../../src/reports/result-file.ts';
import { isNumeric, writeStatusReport } from '../../src/reports/status-report.ts';
import { defaultIntakeOptions } from '../../test/support/default-intake-options.ts';

export type ReportTask = 'csv' | 'xlsx' | 'sheetjs' | 'result';

export interface ReportCost {
  ms: number;
  cpuMs: number;
  peakBytes: number;
  /** The longest time for which the event loop was blocked. */
  heldMs: number;
}

const [task, databaseUrl, folder] = process.argv.slice(2) as [ReportTask, string, string];
const pool = createPool(databaseUrl, { max: 2, logger: silentLogger });
const ledger = createStatusLedger(pool);

/** Measures wall and CPU time from here on; the CPU time includes the compression threads. */
const watch = () => {
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { ms: performance.now() - startedAt, cpuMs: (user + system) / 1000 };
  };
};

type Values = (string | number)[];
const heads = <Row>(columns: readonly ReportColumn<Row>[]): Values => columns.map(({ header }) => header);
const valuesOf = <Row>(columns: readonly ReportColumn<Row>[], row: Row): Values =>
  columns.map((column) => (isNumeric(column) ? Number(column.read(row)) : column.read(row)));

const throughSheetJs = async (): Promise<Pick<ReportCost, 'ms' | 'cpuMs'>> => {
  const request = { account: 'default', timeZone: 'UTC', filter: {}, replaces: undefined };
  const [orders, lines] = await ledger.readReport(request, async ({ orders: readOrders }) => {
    const all = [heads(orderColumns)];
    const items = [heads(lineColumns)];
    for await (const page of readOrders()) {
      for (const order of page) {
        all.push(valuesOf(orderColumns, order));
        for (const line of linesOf(order)) items.push(valuesOf(lineColumns, line));
      }
    }
    return [all, items];
  });
  const stop = watch();
  const book = xlsx.utils.book_new(xlsx.utils.aoa_to_sheet(orders!, { dense: true }), 'Orders');
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(lines!, { dense: true }), 'Lines');
  // Uncompressed, which is SheetJS's default and fastest mode.
  await writeFile(join(folder, 'sheetjs.xlsx'), xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }));
  return stop();
};

const ours = async (format: 'csv' | 'xlsx'): Promise<Pick<ReportCost, 'ms' | 'cpuMs'>> => {
  const stop = watch();
  await writeStatusReport({
    account: 'default',
    folder,
    ledger,
    formats: [format],
    date: '2026-11-20',
    timeZone: 'UTC',
    rule: { lateAfterMs: 7 * 86_400_000, finalStatuses: ['Invoiced'] },
  });
  return stop();
};

/** Writes the result file of the latest import. */
const result = async (): Promise<Pick<ReportCost, 'ms' | 'cpuMs'>> => {
  const { rows } = await pool.query<{ id: string }>('select max(id) as id from imports');
  const stop = watch();
  await writeResultFile({
    importId: rows[0]!.id,
    register: createResultRegister(pool),
    accountOf: () => ({ folder, intake: defaultIntakeOptions, reportFormats: [] }),
    force: true,
  });
  return stop();
};

const work = { csv: () => ours('csv'), xlsx: () => ours('xlsx'), sheetjs: throughSheetJs, result };
await pool.query('select 1');
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const time = await work[task]();
delay.disable();
const cost: ReportCost = {
  ...time,
  peakBytes: process.resourceUsage().maxRSS * 1024,
  heldMs: delay.max / 1e6,
};
process.send!(cost, () => process.disconnect());
await pool.end();
