import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Command } from 'commander';
import type { Account } from '../../config/config.ts';
import { importJob } from '../../dispatch/next-work.ts';
import { plainCause, UserError } from '../../errors.ts';
import { countImports, type ImportCounts, listNotOrdered } from '../../ledger/import-counts.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { startWorker } from '../../worker/start-worker.ts';
import { assertComplete, assertReadable } from '../assert-readable.ts';
import { checkService } from '../check-service.ts';
import { chooseAccount } from '../choose-account.ts';
import { dryRun } from '../dry-run.ts';
import type { ExitCode } from '../exit-codes.ts';
import { joinFiles } from '../join-files.ts';
import { drawImports, drawNotOrdered, isAllWell } from '../output/imports.ts';
import { createProgress } from '../output/progress.ts';
import { count } from '../output/show-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { waitForImports } from '../wait-for-imports.ts';
import { whyAccountClosed } from '../why-account-closed.ts';

interface ImportOptions {
  account?: string;
  dryRun?: boolean;
  wait?: boolean;
  complete?: boolean;
  quote?: boolean;
  join?: boolean;
}

const shownNotOrdered = 50;

/** The absolute path of an import's result file. */
const resultFileOf = (context: Pick<CommandContext, 'config'>, one: ImportCounts): string | undefined => {
  if (one.resultPath === undefined) return undefined;
  const folder = context.config.accounts.find(({ name }) => name === one.account)?.folder ?? '';
  return isAbsolute(one.resultPath) ? one.resultPath : join(folder, one.resultPath);
};

const showResultFiles = (context: CommandContext, imports: readonly ImportCounts[]): void => {
  for (const one of imports) {
    const path = resultFileOf(context, one);
    if (path !== undefined) context.terminal.say(`Result file of import ${one.importId}: ${path}`);
  }
};

const showWaiting = (terminal: Terminal, imports: readonly ImportCounts[], workers: number): void => {
  const taken = imports.filter(({ state }) => state === 'taken').length;
  if (taken === 0) return;
  terminal.say(
    workers > 0
      ? `Imported ${count(taken, 'file')}. A running worker places the orders; \`cartwright status\` shows the progress.`
      : `Imported ${count(taken, 'file')}. No worker is running: start one with \`cartwright up\`, or place the orders now with --wait.`,
  );
};

const unfinished = 'Unfinished POs are saved; run `cartwright up` to continue.';

/** Imports files; with `wait`, places their orders in this process and waits until all are placed or stopped. */
const importFiles = async (
  context: CommandContext,
  files: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> => {
  const { config, terminal, signals, atEnd } = context;
  const account = chooseAccount(config, options.account);
  const closed = whyAccountClosed(config, account.name);
  if (closed !== undefined && options.wait)
    throw new UserError(
      'account_closed',
      `The account ${account.name} is closed now, and --wait would wait until it opens: ${closed}. Import without --wait, or change accounts.${account.name}.schedule.`,
    );
  await assertUsable(files, account, options.complete);
  const rowsRead = new Map<string, number>();
  const runtime = await context.open({
    onImportProgress: (id, rows) => rowsRead.set(id, rows),
    mayCreateFolder: (name) => name === account.name,
  });
  const { pool } = runtime.ledger;
  const open = runtime.accounts.get(account.name);
  open.assertFolder();
  // Before importing, so that a waiting person learns at once if no order can be placed.
  if (options.wait) await checkService(open);

  const importIds: string[] = [];
  for (const file of files) {
    const { importId, state } = await open.claims.claimCopy(file, { quoteOnly: options.quote === true });
    importIds.push(importId);
    if (state === 'taken') await runtime.queues.enqueue([importJob(importId)]);
  }
  if (!options.wait) {
    const imports = await countImports(pool, importIds);
    terminal.answer({ imports });
    terminal.say(drawImports(terminal, imports));
    showWaiting(terminal, imports, (await listWorkers(pool)).length);
    if (closed !== undefined)
      terminal.note(`The account ${account.name} is closed now, so its orders are started later: ${closed}.`);
    return 'fine';
  }

  const worker = await startWorker(runtime);
  atEnd(() => worker.stop());
  const progress = createProgress(terminal);
  atEnd(() => progress.stop());
  const waited = await waitForImports({ pool, importIds, rowsRead, progress, signals });
  progress.stop();
  const { imports } = waited;
  const notOrdered = await listNotOrdered(pool, importIds, shownNotOrdered);
  const results = imports.map((one) => ({ ...one, resultFile: resultFileOf(context, one) }));
  terminal.answer({ outcome: waited.kind, imports: results, notOrdered });
  terminal.say(drawImports(terminal, imports));
  if (notOrdered.length > 0) terminal.say(`\n${drawNotOrdered(terminal, notOrdered)}\n`);
  showResultFiles(context, imports);
  if (waited.kind === 'stalled') {
    terminal.note(`cartwright: ${plainCause(waited.why)}. ${unfinished}`);
    return 'unreachable';
  }
  if (waited.kind === 'interrupted') {
    terminal.note(unfinished);
  }
  return imports.every(isAllWell) ? 'fine' : 'notAllDone';
};

/** @throws UserError if a file cannot be read or may still be being written */
const assertUsable = async (
  files: readonly string[],
  account: Account,
  isComplete = false,
): Promise<void> => {
  for (const file of files) {
    await assertReadable(file);
    if (!isComplete) await assertComplete(file, account.incompleteFileSettleMs);
  }
};

/** A workbook made of two files, which exists while the command runs. */
const joinedFile = async (
  { config, atEnd }: CommandContext,
  files: readonly string[],
  { account, complete }: ImportOptions,
): Promise<string> => {
  const own = chooseAccount(config, account);
  await assertUsable(files, own, complete);
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-join-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return joinFiles(files, own, folder);
};

export const addImportCommand = (program: Command): void => {
  program
    .command('import')
    .description(
      'Imports purchase files (CSV, XLSX, XLS, XLSB, ODS, HTML, Excel XML). The files stay where they are; Cartwright works on copies.',
    )
    .argument('<files...>', 'purchase files')
    .option('--account <name>', 'account that the files belong to; required if there are several')
    .option('--dry-run', 'show what would be ordered and every issue; save and send nothing')
    .option('--wait', 'place the orders in this process and wait until they are placed')
    .option('--complete', 'import files that were just changed and have no final line break')
    .option('--join', 'the two files are orders and their lines, joined as intake.join of the account says')
    .option('--quote', 'build the carts, record prices and stock, delete the carts, order nothing')
    .addHelpText(
      'after',
      `
Examples:
  cartwright import --dry-run orders.csv   show what would be ordered
  cartwright import --wait orders.xlsx     place the orders now
  cartwright import *.csv --account north  let a running worker place the orders
  cartwright import --join orders.csv lines.csv`,
    )
    .action(
      runCommand<ImportOptions>('task', async (context, given, options) => {
        const files = options.join ? [await joinedFile(context, given, options)] : given;
        return options.dryRun
          ? await dryRun(context, files, options.account)
          : importFiles(context, files, options);
      }),
    );
};
