import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { enqueueAccount, type JobDeps } from '../dispatch/next-work.ts';
import { withSubject } from '../errors.ts';
import { accountOfImport, findImport, isNeverRead } from '../ledger/imports.ts';
import { deferRun, findFreeRun } from '../ledger/po/due-work.ts';
import { createPlacingLedger } from '../ledger/po/placing-ledger.ts';
import { createFinishedCheck, listFinishedImports } from '../ledger/po/result-due.ts';
import { newLeaseOwner } from '../ledger/po/take-over.ts';
import { fillWindow } from '../ledger/po/windows.ts';
import { createResultRegister } from '../ledger/result-register.ts';
import { createStatusLedger } from '../ledger/status-ledger.ts';
import { createTrackingLedger } from '../ledger/tracking-ledger.ts';
import { isServed } from '../ledger/workers.ts';
import type { Logger } from '../logger.ts';
import { createCircuit } from '../placing/circuit.ts';
import { systemClock } from '../placing/lease.ts';
import type { Resumed } from '../placing/pauses.ts';
import type { Checkpoint } from '../placing/placing-run.ts';
import type { ReasonLog } from '../placing/reason-log.ts';
import type { Queues } from '../queue/create-queues.ts';
import { writeResultFile } from '../reports/result-file.ts';
import { dayIn, writeStatusReport } from '../reports/status-report.ts';
import type { StateCount } from '../reports/types.ts';
import type { NoteFacts, Trace } from '../tracing/trace.ts';
import { fetchFilesNow } from './exchange-files.ts';
import type { OpenAccounts } from './open-accounts.ts';
import { type FileCheckpoint, readImport } from './read-import.ts';
import { sayCounts } from './say-counts.ts';
import { createTaskRuns } from './scheduled-tasks.ts';
import { takeFiles } from './watch-folders.ts';
import type { Windows } from './windows.ts';

interface JobParts {
  config: Config;
  logger: Logger;
  pool: pg.Pool;
  accounts: OpenAccounts;
  windows: Windows;
  queues: Pick<Queues, 'enqueue'>;
  reasonLog: ReasonLog;
  /** How long a takeover waits beyond the lease (rule 10). */
  graceMs: number;
  workerId: string;
  trace: Trace;
  /** Called with the owner of a lease that could not be released. */
  abandoned(owner: string): void;
  isStopping(): boolean;
  onImportProgress?: ((importId: string, rows: number) => void) | undefined;
  /** For tests: moments at which a process is stopped. */
  checkpoint?: ((name: Checkpoint | FileCheckpoint, about: string) => Promise<void>) | undefined;
}

const placingDeps = (parts: JobParts, resumed: Resumed): JobDeps['placing'] => {
  const { config, logger, pool, accounts, windows, reasonLog, graceMs, workerId, isStopping, checkpoint } =
    parts;
  return {
    ledger: createPlacingLedger(pool, windows.of),
    circuit: createCircuit(),
    // If people may pause queues, a paused queue must hold back its stage.
    jobPerStage: !config.console.queues.readOnly,
    resumed,
    accounts: () => accounts.serving().places,
    apiOf: (name) => accounts.get(name).api(),
    rulesOf: (name) => accounts.get(name).account.placing,
    leaseMs: config.worker.leaseMs,
    graceMs,
    abandoned: parts.abandoned,
    newLeaseOwner: () => newLeaseOwner(workerId),
    logger,
    reasonLog,
    clock: systemClock,
    stopping: isStopping,
    ...(checkpoint ? { checkpoint } : {}),
  };
};

const workDeps = ({ pool, accounts, windows, graceMs }: JobParts): JobDeps['work'] => ({
  deferRun: (id) => deferRun(pool, id, { graceMs, windowOf: windows.of }),
  findFreeRun: (id) => findFreeRun(pool, id, graceMs),
  fillWindow: (account) => fillWindow(pool, account, windows.of(account)),
  finishedImportsOf: createFinishedCheck(pool),
  listFinishedImports: (limit, account) => {
    const { reads } = accounts.serving();
    return listFinishedImports(
      pool,
      limit,
      account === undefined ? reads : reads.filter((name) => name === account),
    );
  },
});

const trackingDeps = (
  { pool, accounts, logger, trace }: JobParts,
  resumed: Resumed,
): JobDeps['trackingOf'] => {
  const ledger = createTrackingLedger(pool);
  return (name) => {
    const found = accounts.all.find(({ account }) => account.name === name);
    if (!found || found.serviceProblem) return undefined;
    const { finalStatuses, closeUnchangedAfterMs, orderSeenWithinMs, placing, schedule } = found.account;
    return {
      ledger,
      api: found.api(),
      rules: {
        pollOlder: schedule.pollOlder,
        finalStatuses,
        unchangedMs: closeUnchangedAfterMs,
        seenWithinMs: orderSeenWithinMs,
      },
      placing,
      resumed,
      logger,
      trace,
      now: () => new Date(),
    };
  };
};

const needsPerson: ReadonlySet<string> = new Set(['held', 'rejected', 'failed']);

/** `1 ordered, 2 ordered already, 1 held`, plus a pointer to `status` if a person is needed. */
const saidOf = (states: readonly StateCount[]): string => {
  const counts: Record<string, number> = {};
  for (const { state, reasonCode, repeated, poCount } of states) {
    const word = reasonCode === 'corrected' ? 'corrected' : repeated ? `${state} already` : state;
    counts[word] = (counts[word] ?? 0) + poCount;
  }
  const advice = Object.keys(counts).some((word) => needsPerson.has(word));
  return `${sayCounts(counts)}${advice ? '. `cartwright status` says what to do' : ''}`;
};

const fileDeps = (
  parts: JobParts,
): Pick<JobDeps, 'importFile' | 'takeFiles' | 'writeResult' | 'writeStatusReport'> => {
  const { pool, accounts, queues, logger, trace, config, workerId, checkpoint, onImportProgress } = parts;
  const register = createResultRegister(pool);
  const statusLedger = createStatusLedger(pool);
  /** Adds account and file to an error, for the log of the queue, which retries the job. */
  const aboutFile =
    (importId: string) =>
    async (thrown: unknown): Promise<never> => {
      const account = await accountOfImport(pool, importId).catch(() => undefined);
      const found = await findImport(pool, { importId }).catch(() => undefined);
      throw withSubject(thrown, {
        importId,
        ...(account === undefined ? {} : { account }),
        ...(found ? { file: found.fileName } : {}),
      });
    };
  return {
    importFile: (importId) => {
      const read = (note: NoteFacts) =>
        readImport({ pool, accounts, logger, checkpoint, onProgress: onImportProgress, note }, importId);
      // A file's trace must begin once, but a sweep may enqueue a file that was read already, and a file that waited is read again.
      return isNeverRead(pool, importId)
        .then((isFirst) => trace('import file', { importId }, read, isFirst ? 'file' : 'of file'))
        .catch(aboutFile(importId));
    },
    takeFiles: async (name) => {
      const account = accounts.get(name);
      account.assertFolder();
      const enqueue: Queues['enqueue'] = (found) => queues.enqueue(found);
      const { leaseMs } = config.worker;
      await fetchFilesNow(account, { pool, enqueue, logger, workerId, leaseMs, checkpoint });
      await takeFiles(account, { enqueue, logger });
    },
    writeResult: (importId) =>
      trace(
        'write result file',
        { importId },
        async (note) => {
          const accountOf = (name: string) => {
            note({ account: name });
            return accounts.get(name).account;
          };
          await writeResultFile({
            importId,
            register,
            accountOf,
            checkpoint: checkpoint && ((fileName) => checkpoint('writing_result', fileName)),
            onWritten: ({ path, isNew, facts, states }) =>
              logger.info(
                { account: facts.account, importId, file: join(accountOf(facts.account).folder, path) },
                `result file ${isNew ? 'written' : 'updated'}: ${saidOf(states)}`,
              ),
          });
        },
        'of file',
      ).catch(aboutFile(importId)),
    writeStatusReport: async (name, filter) => {
      accounts.get(name).assertFolder();
      const { folder, reportFormats, schedule, access, lateAfterMs, finalStatuses } =
        accounts.get(name).account;
      const request = {
        account: name,
        folder,
        ledger: statusLedger,
        formats: reportFormats,
        mode: access.file,
        date: dayIn(schedule.timeZone, new Date()),
        timeZone: schedule.timeZone,
        rule: { lateAfterMs, finalStatuses },
        ...(filter ? { filter } : {}),
      };
      return trace('write status report', { account: name }, () => writeStatusReport(request));
    },
  };
};

/** The dependencies of jobs: the ledger's functions, the accounts' clients and the writers of files. */
export const createJobDeps = (parts: JobParts): JobDeps => {
  const { pool, accounts, queues, logger } = parts;
  const work = workDeps(parts);
  const enqueue: JobDeps['enqueue'] = (jobs) => queues.enqueue(jobs);
  const resumed: Resumed = async (account) => {
    await enqueueAccount({ work, enqueue }, account);
  };
  return {
    serves: (what, account) => accounts.serving()[what].includes(account),
    isServed: (what, account) => isServed(pool, what, account),
    accountOfImport: (importId) => accountOfImport(pool, importId),
    placing: placingDeps(parts, resumed),
    work,
    trackingOf: trackingDeps(parts, resumed),
    ...fileDeps(parts),
    trace: parts.trace,
    runTask: createTaskRuns({ pool, accounts, logger }),
    enqueue,
  };
};
