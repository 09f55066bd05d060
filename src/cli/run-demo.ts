import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { presentPurchaseOrder } from '../console/present-purchase-order.ts';
import { enqueueFinished } from '../dispatch/next-work.ts';
import { startEmbeddedPostgres } from '../embedded/start-embedded-postgres.ts';
import { readPurchaseOrdersOf } from '../ledger/console/purchase-order.ts';
import { type ImportCounts, latestImports, listNotOrdered } from '../ledger/import-counts.ts';
import { dropSchemas, ledgerSchema } from '../ledger/migrate.ts';
import { readOverview } from '../ledger/overview.ts';
import { createLogger } from '../logger.ts';
import { queueSchema } from '../queue/backend.ts';
import { serviceConfigOf, serviceConfigSchema } from '../service/config.ts';
import { type ListeningService, listenService } from '../service/listen-service.ts';
import { pollAccount } from '../tracking/poll-account.ts';
import { openRuntime, type Runtime } from '../worker/open-runtime.ts';
import { startWorker } from '../worker/start-worker.ts';
import { watchFolders } from '../worker/watch-folders.ts';
import { describeConsole } from './commands/console.ts';
import { prepareDemoFolder } from './demo-folder.ts';
import type { ExitCode } from './exit-codes.ts';
import { drawDemo } from './output/demo.ts';
import { listStatuses } from './output/overview.ts';
import { createProgress } from './output/progress.ts';
import { count } from './output/show-text.ts';
import type { Terminal } from './output/terminal.ts';
import type { ShellContext } from './run-command.ts';
import { waitForImports } from './wait-for-imports.ts';

const serviceSchema = 'dealer_service';
const hourMs = 3_600_000;
/** Hours of the sandbox's clock at which statuses are fetched; at the end, only some orders have their final status. */
const hours = [2, 4, 8, 14, 20];
const pollEveryMs = 100;

/** The imports of all sample files, once they are picked up. */
const waitForTaken = async (
  { ledger }: Runtime,
  expected: number,
  { signals }: ShellContext,
): Promise<ImportCounts[]> => {
  for (;;) {
    const imports = await latestImports(ledger.pool, { limit: expected });
    if (imports.length === expected || signals.isRequested()) return imports;
    await Promise.race([sleep(pollEveryMs), signals.requested]);
  }
};

/** Advances the sandbox's clock and fetches the statuses on the way. */
const followStatuses = async (
  runtime: Runtime,
  service: ListeningService,
  terminal: Terminal,
): Promise<void> => {
  const names = runtime.config.accounts.map(({ name }) => name);
  let past = 0;
  for (const hour of hours) {
    await service.clock.advance((hour - past) * hourMs);
    past = hour;
    for (const name of names) {
      const tracking = runtime.jobs.trackingOf(name)!;
      // The worker's own schedule may be polling right now.
      while ((await pollAccount(name, tracking, { all: true })).kind === 'busy') await sleep(pollEveryMs);
    }
    const { accounts } = await readOverview(runtime.ledger.pool, names);
    const together: Record<string, number> = {};
    for (const { orderStatuses } of accounts) {
      for (const [status, n] of Object.entries(orderStatuses)) together[status] = (together[status] ?? 0) + n;
    }
    terminal.say(`  after ${String(hour).padStart(2)} hours  ${listStatuses(together)}`);
  }
};

/**
 * Runs the demo, from an empty ledger to reports. Everything it starts is stopped when the command ends; with `keep`,
 * that is when it is interrupted, and until then the console shows the result.
 *
 * @param folder absolute; see `prepareDemoFolder`
 * @throws UserError `not_a_demo_folder`, `demo_runs`, or an error of a part that cannot start
 */
export const runDemo = async (
  shell: ShellContext,
  folder: string,
  { keep = false }: { keep?: boolean } = {},
): Promise<ExitCode> => {
  const { terminal, signals, atEnd } = shell;
  const startedAt = performance.now();
  const logger = createLogger({ level: shell.verbose ? 'debug' : 'error', readable: true });
  const step = (text: string) => terminal.say(`${terminal.paint('green', '✔')} ${text}`);

  const demo = await prepareDemoFolder(folder);
  atEnd(() => demo.release());
  const embedded = await startEmbeddedPostgres({ dataFolder: folder, logger });
  atEnd(() => embedded.stop());
  await dropSchemas(embedded.url, [ledgerSchema, queueSchema, serviceSchema]);
  step('Started the built-in Postgres for ledger, job queue and sandbox.');

  const service = await listenService({
    config: serviceConfigOf(serviceConfigSchema.parse(demo.sandbox)),
    logger,
    databaseUrl: embedded.url,
  });
  atEnd(() => service.stop());
  step(`Started a sandbox service at ${service.url}.`);

  const config = await demo.configure(service.url);
  const rowsRead = new Map<string, number>();
  const runtime = await openRuntime({
    config,
    logger,
    onImportProgress: (id, rows) => rowsRead.set(id, rows),
  });
  atEnd(() => runtime.stop(config.worker.drainMs));
  const worker = await startWorker(runtime);
  atEnd(() => worker.stop());
  const folders = await watchFolders(runtime.accounts.all, { enqueue: runtime.queues.enqueue, logger });
  atEnd(() => folders.stop());
  const dropped = await demo.dropSamples(config);
  step(`Put ${count(dropped, 'purchase file')} of two dealers into their inboxes.`);

  const { pool } = runtime.ledger;
  const progress = createProgress(terminal);
  atEnd(() => progress.stop());
  const importIds = (await waitForTaken(runtime, dropped, shell)).map(({ importId }) => importId);
  await waitForImports({ pool, importIds, rowsRead, progress, signals });
  progress.stop();
  if (signals.isRequested()) return 'interrupted';
  step('Read the files, checked them and placed their orders. Simulating a day:');

  await followStatuses(runtime, service, terminal);
  await enqueueFinished(runtime.jobs);
  for (const { name } of config.accounts) await runtime.jobs.writeStatusReport(name);
  const { imports } = await waitForImports({
    pool,
    importIds,
    rowsRead,
    progress: createProgress({ ...terminal, live: false }),
    signals,
  });
  const notOrdered = await listNotOrdered(pool, importIds, 50);
  const overview = await readOverview(
    pool,
    config.accounts.map(({ name }) => name),
  );
  const places = config.accounts.map((account) => ({
    account: account.name,
    results: join(account.folder, 'results'),
    reports: join(account.folder, 'reports'),
  }));
  const purchaseOrders = terminal.json
    ? (await readPurchaseOrdersOf(pool, importIds)).map(presentPurchaseOrder)
    : [];
  terminal.answer({
    imports,
    purchaseOrders,
    notOrdered,
    accounts: overview.accounts,
    folders: places,
    config: config.file,
  });
  const shown = (path: string) => relative('.', path) || path;
  terminal.say(
    drawDemo(terminal, {
      imports,
      notOrdered,
      accounts: overview.accounts,
      folders: places.map((one) => ({ ...one, results: shown(one.results), reports: shown(one.reports) })),
      seconds: (performance.now() - startedAt) / 1000,
      statusCommand: demo.statusCommand.replace(config.file ?? '', shown(config.file ?? '')),
    }),
  );
  if (keep) {
    const { serveConsole } = await import('./serve-console.ts');
    const listening = await serveConsole(runtime);
    atEnd(() => listening.stop());
    terminal.say(`\n${describeConsole(listening)}\nPress Ctrl-C to stop.`);
    await signals.requested;
  } else {
    terminal.say('To look at this demo in the console, run it with --keep: cartwright demo --keep');
  }
  return 'fine';
};
