import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ImportOutcome, importPurchaseFile } from '../intake/import-purchase-file.ts';
import { sha256Of } from '../intake/inbox/watch-originals.ts';
import { orWaits, type Waits } from '../intake/layouts/unknown-meaning.ts';
import { identityOf } from '../ledger/imports.ts';
import { rehearseImport, type StagedImport } from '../ledger/staging.ts';
import { openLedgerToRehearse } from '../worker/open-ledger.ts';
import { assertReadable } from './assert-readable.ts';
import { chooseAccount } from './choose-account.ts';
import type { ExitCode } from './exit-codes.ts';
import { drawDryRun } from './output/dry-run.ts';
import { createProgress } from './output/progress.ts';
import type { CommandContext } from './run-command.ts';

const hashOf = async (path: string): Promise<string> => {
  const file = await open(resolve(path));
  try {
    return await sha256Of(file);
  } finally {
    await file.close();
  }
};

interface Rehearsed {
  results: { file: string; staged: StagedImport<ImportOutcome | Waits> }[];
  drawn: string;
  code: ExitCode;
  /** Whether a file waits until a person says what it means. */
  waits: boolean;
}

/** Finds out what would be ordered; saves nothing and sends nothing. */
export const rehearse = async (
  context: CommandContext,
  files: readonly string[],
  accountName: string | undefined,
): Promise<Rehearsed> => {
  const { config, logger, terminal, atEnd } = context;
  const account = chooseAccount(config, accountName);
  for (const file of files) await assertReadable(file);
  const ledger = await openLedgerToRehearse({ config, logger, connections: 2, tell: terminal.note });
  atEnd(() => ledger.stop());
  const progress = createProgress(terminal);
  atEnd(() => progress.stop());
  const results: Rehearsed['results'] = [];
  for (const file of files) {
    const sha256 = await hashOf(file);
    const identity =
      ledger.ledger === 'current'
        ? await identityOf(ledger.pool, account.name, sha256)
        : { account: account.name, sha256, day: new Date().toISOString().slice(0, 10) };
    const staged = await rehearseImport(
      ledger.pool,
      { account: account.name, fileName: file },
      async (stage, layouts) => {
        const outcome = await importPurchaseFile({
          path: resolve(file),
          fileName: file,
          identity,
          options: account.intake,
          layouts,
          waitsForNews: true,
          codeLists: account.codeLists,
          priceGuard: account.placing.guards.abovePercent !== undefined,
          stage,
          onProgress: ({ rows }) => progress.set('rows read', rows, undefined),
        });
        return orWaits(outcome, account.intake);
      },
      { preview: 100, guards: account.placing.guards, ledger: ledger.ledger },
    );
    results.push({ file, staged });
  }
  progress.stop();
  const isClean = ({ staged }: (typeof results)[number]) =>
    staged.kind === 'staged' &&
    staged.counts.issues + staged.counts.conflicting + staged.counts.held === 0 &&
    staged.counts.ready + staged.counts.repeated > 0;
  return {
    results,
    drawn: results
      .map(({ file, staged }) => drawDryRun(terminal, file, staged, account.placing.guards, context.verbose))
      .join('\n'),
    code: results.every(isClean) ? 'fine' : 'notAllDone',
    waits: results.some(({ staged }) => staged.kind === 'waits'),
  };
};

/** Shows what would be ordered; saves nothing and sends nothing. */
export const dryRun = async (
  context: CommandContext,
  files: readonly string[],
  accountName: string | undefined,
): Promise<ExitCode> => {
  const { results, drawn, code } = await rehearse(context, files, accountName);
  context.terminal.answer({ dryRun: results });
  context.terminal.say(drawn);
  return code;
};
