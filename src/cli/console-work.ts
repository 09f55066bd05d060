import type { ScheduleKind } from '../api-contract/accounts.ts';
import type { ConsoleWork, KnownProblem, KnownSchedule } from '../console/console-work.ts';
import type { JobName } from '../dispatch/job-schemas.ts';
import { enqueueAccount, importJob, jobFor } from '../dispatch/next-work.ts';
import { UserError } from '../errors.ts';
import { listAccountsWithWork } from '../ledger/overview.ts';
import { refreshedSentence, refreshOrders } from '../tracking/refresh-orders.ts';
import type { Runtime } from '../worker/open-runtime.ts';
import { wakeBulkRuns } from '../worker/run-bulk.ts';
import { jobOf, taskOf } from '../worker/scheduled-tasks.ts';
import { writeDueResults } from '../worker/write-due-results.ts';
import { listAllSchedules } from './list-all-schedules.ts';
import { lookInFiles } from './look-in-files.ts';
import { readHealth } from './read-health.ts';

const kindOf: Partial<Record<JobName, ScheduleKind>> = taskOf;

/** The check is cached, because many pages request it. */
const problemsKeptMs = 5_000;

const createProblemCheck = ({ config, ledger: { pool } }: Runtime) => {
  const check = async (held: boolean): Promise<KnownProblem[]> => {
    const names = [
      ...new Set([...config.accounts.map(({ name }) => name), ...(await listAccountsWithWork(pool))]),
    ];
    const { problems } = await readHealth(pool, config, names, { counts: held });
    return problems.map(({ code, account, message }) => ({ code, account: account ?? null, message }));
  };
  const keep = (held: boolean) => {
    let kept: { at: number; problems: Promise<KnownProblem[]> } | undefined;
    return (): Promise<KnownProblem[]> => {
      if (kept === undefined || performance.now() - kept.at > problemsKeptMs) {
        kept = { at: performance.now(), problems: check(held) };
        kept.problems.catch(() => {
          kept = undefined;
        });
      }
      return kept.problems;
    };
  };
  return { read: keep(false), readWithHeld: keep(true) };
};

/** Implements the console's access to a runtime. */
export const createConsoleWork = (runtime: Runtime): ConsoleWork => {
  const { accounts, queues, jobs: deps, logger } = runtime;
  const problems = createProblemCheck(runtime);
  return {
    enqueueChanged: async (ids) => {
      for (const id of ids) await deps.enqueue((await deps.work.deferRun(id)).map(jobFor));
      await writeDueResults(runtime);
    },
    continueAnswered: async (account) => {
      try {
        await enqueueAccount(runtime.jobs, account);
        await writeDueResults(runtime);
      } catch (err) {
        logger.warn({ err }, 'The queue did not take answered POs; the sweep of the workers gives them jobs');
      }
    },
    enqueueImports: (imports) =>
      deps
        .enqueue(imports.map((one) => importJob(one.id, one)))
        .catch((err: unknown) =>
          logger.warn({ err }, 'cannot enqueue an uploaded file; the sweep will do it'),
        ),
    fillAccounts: async (names) => {
      for (const name of names) await enqueueAccount(runtime.jobs, name);
    },
    continueBulkRuns: () => wakeBulkRuns(runtime.ledger.pool),
    listSchedules: async () => {
      const known = await queues.listSchedules().catch((thrown: unknown) => {
        // The pages then show that the queue does not know; `findProblems` and the log give the reason.
        if (thrown instanceof UserError) return [];
        throw thrown;
      });
      return known.flatMap(({ name, account, timing, nextAtMs }): KnownSchedule[] => {
        const kind = kindOf[name];
        return kind === undefined || account === undefined ? [] : [{ account, kind, timing, nextAtMs }];
      });
    },
    listAllSchedules: (names, { shared }) =>
      listAllSchedules(
        runtime,
        runtime.config.accounts.filter(({ name }) => names.includes(name)),
        { shared },
      ),
    runNow: (kind, account) =>
      queues.enqueue([jobOf(kind, { account, now: true }, `${kind} now ${account}`)]),
    refreshOrders: async (account, poNumbers) => {
      const tracking = runtime.jobs.trackingOf(account);
      const why = accounts.all.find((one) => one.account.name === account)?.serviceProblem;
      if (!tracking)
        return {
          done: false,
          changes: 0,
          sentence: why ?? `${account} is in no configuration of this console.`,
        };
      const refreshed = await refreshOrders(account, poNumbers, tracking);
      const sentence = refreshedSentence(refreshed);
      return refreshed.kind === 'read'
        ? { done: true, sentence, changes: refreshed.changes }
        : { done: false, sentence, changes: 0 };
    },
    lookInFiles: (poNumber, names) =>
      lookInFiles({ config: runtime.config, pool: runtime.ledger.pool }, poNumber, names),
    writeResult: (importId) =>
      queues.enqueue([{ name: 'write-report', data: { importId }, single: `result ${importId}` }]),
    findProblems: async (names, { held } = { held: false }) =>
      (await (held ? problems.readWithHeld() : problems.read())).filter(
        ({ account }) => account === null || names.includes(account),
      ),
  };
};
