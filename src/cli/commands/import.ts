import { isAbsolute, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { importPurchaseFile } from '../../intake/import-purchase-file.ts';
import { type ImportProgress, importProgress, openQuestions } from '../../ledger/import-progress.ts';
import { rehearseImport, type StagedImport } from '../../ledger/staging.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { importJob } from '../../queue/next-work.ts';
import { assertComplete, assertReadable } from '../assert-readable.ts';
import { checkService } from '../check-service.ts';
import { chooseAccount } from '../choose-account.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { openLedgerToRehearse } from '../open-ledger.ts';
import { drawDryRun } from '../output/dry-run.ts';
import { drawImports, isAllWell } from '../output/imports.ts';
import { createProgress } from '../output/progress.ts';
import { drawQuestions } from '../output/questions.ts';
import { count } from '../output/show-text.ts';
import type { Terminal } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { startWorker } from '../start-worker.ts';
import { waitForImports } from '../wait-for-imports.ts';

interface ImportOptions {
  account?: string;
  dryRun?: boolean;
  wait?: boolean;
  complete?: boolean;
  quote?: boolean;
}

const shownQuestions = 50;

/** Says what would be ordered; keeps nothing and sends nothing. */
const dryRun = async (
  context: CommandContext,
  files: readonly string[],
  accountName: string | undefined,
): Promise<ExitCode> => {
  const { config, logger, terminal, atEnd } = context;
  const account = chooseAccount(config, accountName);
  for (const file of files) await assertReadable(file);
  const ledger = await openLedgerToRehearse({ config, logger, connections: 2, tell: terminal.note });
  atEnd(() => ledger.stop());
  const progress = createProgress(terminal);
  atEnd(() => progress.stop());
  const results: { file: string; staged: StagedImport }[] = [];
  for (const file of files) {
    const staged = await rehearseImport(
      ledger.pool,
      { account: account.name, fileName: file },
      (stage) =>
        importPurchaseFile({
          path: resolve(file),
          fileName: file,
          options: account.intake,
          codeLists: account.codeLists,
          priceGuard: account.placing.guards.abovePercent !== undefined,
          stage,
          onProgress: ({ rows }) => progress.set('rows read', rows, undefined),
        }),
      { preview: 100, rules: account, ledger: ledger.ledger },
    );
    results.push({ file, staged });
  }
  progress.stop();
  terminal.answer({ dryRun: results });
  for (const { file, staged } of results) terminal.say(drawDryRun(terminal, file, staged));
  const isClean = ({ staged }: (typeof results)[number]) =>
    staged.kind === 'staged' && staged.counts.rejected + staged.counts.conflicting + staged.counts.held === 0;
  return results.every(isClean) ? exitCodes.fine.code : exitCodes.notAllDone.code;
};

/** Where an import's result file is, for a person to open. */
const resultFileOf = (context: Pick<CommandContext, 'config'>, one: ImportProgress): string | undefined => {
  if (one.resultPath === undefined) return undefined;
  const folder = context.config.accounts.find(({ name }) => name === one.account)?.folder ?? '';
  return isAbsolute(one.resultPath) ? one.resultPath : join(folder, one.resultPath);
};

const sayResults = (context: CommandContext, imports: readonly ImportProgress[]): void => {
  for (const one of imports) {
    const path = resultFileOf(context, one);
    if (path !== undefined) context.terminal.say(`Result of import ${one.importId}: ${path}`);
  }
};

const sayWaiting = (terminal: Terminal, imports: readonly ImportProgress[], workers: number): void => {
  const taken = imports.filter(({ state }) => state === 'taken').length;
  if (taken === 0) return;
  terminal.say(
    workers > 0
      ? `${count(taken, 'file')} taken; ${count(workers, 'worker')} will place what is in it. \`cartwright status\` shows how far that is.`
      : `${count(taken, 'file')} taken. No worker runs: start one with \`cartwright up\`, or wait here with --wait.`,
  );
};

/** Takes files; with `wait`, works in this process until nothing of them moves any more. */
const importFiles = async (
  context: CommandContext,
  files: readonly string[],
  options: ImportOptions,
): Promise<ExitCode> => {
  const { config, terminal, signals, atEnd } = context;
  const account = chooseAccount(config, options.account);
  for (const file of files) {
    await assertReadable(file);
    if (!options.complete) await assertComplete(file, account.incompleteFileSettle);
  }
  const rowsRead = new Map<string, number>();
  const runtime = await context.open({ onImportProgress: (id, rows) => rowsRead.set(id, rows) });
  const { pool } = runtime.ledger;
  const open = runtime.accounts.get(account.name);
  // Before anything is taken: who waits for orders hears at once that none can be placed.
  if (options.wait) await checkService(open);

  const importIds: string[] = [];
  for (const file of files) {
    const { importId, state } = await open.claims.claimCopy(file, { quoteOnly: options.quote === true });
    importIds.push(importId);
    if (state === 'taken') await runtime.queues.enqueue([importJob(importId)]);
  }
  if (!options.wait) {
    const imports = await importProgress(pool, importIds);
    terminal.answer({ imports });
    terminal.say(drawImports(terminal, imports));
    sayWaiting(terminal, imports, (await listWorkers(pool)).length);
    return exitCodes.fine.code;
  }

  const worker = await startWorker(runtime);
  atEnd(() => worker.stop());
  const progress = createProgress(terminal);
  atEnd(() => progress.stop());
  const waited = await waitForImports({ pool, importIds, rowsRead, progress, signals });
  progress.stop();
  const { imports } = waited;
  const questions = await openQuestions(pool, importIds, shownQuestions);
  const results = imports.map((one) => ({ ...one, resultFile: resultFileOf(context, one) }));
  terminal.answer({ outcome: waited.kind, imports: results, questions });
  terminal.say(drawImports(terminal, imports));
  if (questions.length > 0) terminal.say(`\n${drawQuestions(terminal, questions)}\n`);
  sayResults(context, imports);
  if (waited.kind === 'stalled') {
    terminal.note(
      `cartwright: ${waited.why}. What is left stands in the ledger; \`cartwright up\` goes on with it.`,
    );
    return exitCodes.unreachable.code;
  }
  if (waited.kind === 'interrupted') {
    terminal.note('What is left stands in the ledger; `cartwright up` goes on with it.');
  }
  return imports.every(isAllWell) ? exitCodes.fine.code : exitCodes.notAllDone.code;
};

/** `cartwright import`. */
export const addImportCommand = (program: Command): void => {
  program
    .command('import')
    .summary('take purchase files')
    .description(
      'Takes purchase files (CSV, XLSX, XLS, XLSB, ODS). The files stay where they are; Cartwright works on copies.',
    )
    .argument('<files...>', 'purchase files')
    .option('--account <name>', 'whose files they are; needed where there are several accounts')
    .option('--dry-run', 'show what would be ordered and every issue; keep nothing, send nothing')
    .option('--wait', 'place the orders from this process and wait until they are placed')
    .option(
      '--complete',
      'the files are complete, also those that were just changed and lack their last line end',
    )
    .option('--quote', 'build the carts, record prices and stock, delete the carts; order nothing')
    .addHelpText(
      'after',
      `
Examples:
  cartwright import --dry-run orders.csv     what would happen
  cartwright import --wait orders.xlsx       place the orders now
  cartwright import *.csv --account north    leave the rest to a running \`cartwright up\``,
    )
    .action(
      runCommand<ImportOptions>('task', (context, files, options) =>
        options.dryRun ? dryRun(context, files, options.account) : importFiles(context, files, options),
      ),
    );
};
