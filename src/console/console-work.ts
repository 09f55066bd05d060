import type { ScheduleKind } from '../api-contract/accounts.ts';
import type { SchedulesAnswer } from '../api-contract/schedules.ts';
import type { FilesAnswer } from '../api-contract/search.ts';
import type { ProblemsAnswer } from '../api-contract/today.ts';
import type { UnreadImport } from '../intake/inbox/import-register.ts';

export interface KnownSchedule {
  account: string;
  kind: ScheduleKind;
  timing: { everyMs: number } | { cron: string; timeZone: string };
  /** In milliseconds since 1970; undefined where the queue does not know. */
  nextAtMs: number | undefined;
}

export type KnownProblem = ProblemsAnswer['problems'][number];

/** What the console's pages and actions ask of the queue and of the accounts' folders; src/cli composes it. */
export interface ConsoleWork {
  /** Gives POs that an action changed their jobs now, and writes the result files that are due. */
  enqueueChanged(purchaseOrderIds: readonly string[]): Promise<void>;
  /**
   * Gives POs of an account that continue after an answer jobs, as far as there is room in its window: they may be thousands. Writes the result
   * files that are due. Never throws: the sweep finds what is missing.
   */
  continueAnswered(account: string): Promise<void>;
  /** Gives imports that were just registered their jobs. Never throws: the sweep finds what is missing. */
  enqueueImports(imports: readonly (Pick<UnreadImport, 'id'> & Partial<UnreadImport>)[]): Promise<void>;
  /** Gives POs of these accounts jobs, as far as there is room in the accounts' windows. */
  fillAccounts(accounts: readonly string[]): Promise<void>;
  /** There is a new bulk run: works on it at once, in the background. */
  continueBulkRuns(): void;
  /** Empty where the queue does not answer. */
  listSchedules(): Promise<KnownSchedule[]>;
  /**
   * What happens by the clock for these accounts, as `cartwright schedule` lists it; with `shared` also what concerns all
   * accounts: summaries, backups, the removal of old data.
   */
  listAllSchedules(accounts: readonly string[], options: { shared: boolean }): Promise<SchedulesAnswer>;
  /** Runs a schedule's task now, in a worker that serves the account. */
  runNow(kind: ScheduleKind, account: string): Promise<void>;
  /** Asks the service of an account for the orders of some POs now. Says in a sentence what it showed, or why it could not be asked. */
  refreshOrders(
    account: string,
    poNumbers: readonly string[],
  ): Promise<{ done: boolean; sentence: string; changes: number }>;
  /** Searches for a PO number without a PO in files of this machine that are in an inbox, wait, were refused or left it out. */
  lookInFiles(poNumber: string, accounts: readonly string[]): Promise<FilesAnswer>;
  /** Writes the result file of an import, in a worker that has the account's folder. */
  writeResult(importId: string): Promise<void>;
  /**
   * Of these accounts, and what concerns all of them. With `held` also the POs that are held, which takes longer the more POs the
   * ledger has: the pages count them themselves.
   */
  findProblems(accounts: readonly string[], options?: { held: boolean }): Promise<KnownProblem[]>;
}
