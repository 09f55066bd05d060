// Reading, mapping, checking, grouping and staging a CSV file in Postgres, compared with csv-parse alone in the same run.
// Each part runs in its own process, so that its memory can be measured.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse';
import { specCodeLists } from '../src/contract/carts.ts';
import { importPurchaseFile } from '../src/intake/import-purchase-file.ts';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { stageImport } from '../src/ledger/staging.ts';
import { silentLogger } from '../src/logger.ts';
import { defaultIntakeOptions } from '../test/support/default-intake-options.ts';
import type { Figure } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';

const header =
  'po_number,ship_to,ship_name,ship_address1,ship_city,ship_state,ship_zip,email,item_sku,quantity,note,expected_price';

/** A row of the measured file: five lines per PO, twelve columns. */
export const benchRow = (at: number): string => {
  const po = Math.floor(at / 5);
  return `PO-${100_000 + po},00${10_000 + (po % 90_000)},Dealer Number ${po % 5000},${po % 999} Main Street,Holtsville,NY,00501,dealer${po % 5000}@example.com,015-${String(at % 99_991).padStart(5, '0')},${1 + (at % 9)},dock ${at % 50},${((at % 9999) / 100).toFixed(2)}`;
};

const writeFile = async (file: string, rows: number): Promise<void> => {
  const out = createWriteStream(file);
  let text = `${header}\n`;
  for (let at = 0; at < rows; at += 1) {
    text += `${benchRow(at)}\n`;
    if (text.length > 1 << 20) {
      if (!out.write(text)) await once(out, 'drain');
      text = '';
    }
  }
  out.end(text);
  await once(out, 'finish');
};

interface Measured {
  seconds: number;
  peakMb: number;
}

const parseAlone = async (file: string): Promise<void> => {
  const parser = createReadStream(file).pipe(parse({ relax_column_count: true }));
  for await (const _ of parser);
};

const ingest = async (file: string, url: string, rows: number): Promise<void> => {
  const pool = createPool(url, { max: 2, logger: silentLogger });
  const { rows: found } = await pool.query<{ id: string }>(
    `insert into imports (account, file_name, sha256, size_bytes, file_path) values ($1, 'bench.csv', '', 0, '') returning id`,
    [`bench ${rows}`],
  );
  const staged = await stageImport(pool, found[0]!.id, (stage) =>
    importPurchaseFile({
      path: file,
      fileName: 'bench.csv',
      options: defaultIntakeOptions,
      codeLists: specCodeLists,
      stage,
    }),
  );
  await pool.end();
  if (
    staged.kind !== 'staged' ||
    staged.counts.lines !== rows ||
    staged.counts.ready !== Math.ceil(rows / 5)
  ) {
    throw new Error(`Unexpected result of staging: ${JSON.stringify(staged).slice(0, 500)}`);
  }
};

const self = fileURLToPath(import.meta.url);

const inChild = async (part: string, file: string, url: string, rows: number): Promise<Measured> => {
  const child = fork(self, [], { execArgv: self.endsWith('.ts') ? ['--import', 'tsx'] : [] });
  child.send({ part, file, url, rows });
  const [answer] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => [undefined]),
  ])) as [Measured | undefined];
  if (!answer) throw new Error(`${part} failed`);
  return answer;
};

/** @param options.rows rows of the large file; the small one has a tenth of that */
export const run = async (options: { rows?: number } = {}): Promise<Figure[]> => {
  const rows = options.rows ?? 1_000_000;
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const server = await startBenchPostgres(path.join(folder, 'pg'));
  try {
    const pool = createPool(server.url, { max: 1, logger: silentLogger });
    await migrateLedger(pool);
    await pool.end();
    const large = path.join(folder, 'large.csv');
    const small = path.join(folder, 'small.csv');
    await writeFile(large, rows);
    await writeFile(small, rows / 10);
    const tenth = await inChild('ingest', small, server.url, rows / 10);
    const alone = await inChild('parse', large, server.url, rows);
    const whole = await inChild('ingest', large, server.url, rows);
    return [
      { name: `csv-parse alone, ${rows} rows`, value: alone.seconds, unit: 's' },
      { name: 'ingest', value: whole.seconds, unit: 's' },
      { name: 'ingest, rows per second', value: Math.round(rows / whole.seconds) },
      { name: 'resident (MB)', value: Math.round(whole.peakMb), target: '<= 200' },
      {
        name: `resident / resident with ${rows / 10} rows`,
        value: whole.peakMb / tenth.peakMb,
        target: '<= 1.25',
      },
      { name: 'time / csv-parse alone', value: whole.seconds / alone.seconds, target: '<= 3' },
    ];
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

if (process.send) {
  process.once('message', async (task: { part: string; file: string; url: string; rows: number }) => {
    const startedAt = performance.now();
    if (task.part === 'parse') await parseAlone(task.file);
    else await ingest(task.file, task.url, task.rows);
    const seconds = (performance.now() - startedAt) / 1000;
    process.send!({ seconds, peakMb: process.resourceUsage().maxRSS / 1024 }, () => process.exit(0));
  });
}
