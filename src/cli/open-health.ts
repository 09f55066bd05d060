import { nextRuns } from '../config/next-runs.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { createHostCheck, isLoopback } from '../console/access/own-site.ts';
import { hashSecret } from '../console/access/secrets.ts';
import { createHealth, type Health } from '../health/create-health.ts';
import { listenHealth } from '../health/listen-health.ts';
import { touchToken } from '../ledger/console/tokens.ts';
import { readFigures } from '../ledger/figures.ts';
import { readPackage } from '../package.ts';
import { firstMissedBackup } from '../worker/look-for-backups.ts';
import type { Runtime } from '../worker/open-runtime.ts';
import { readinessParts } from './open-readiness.ts';

/**
 * Accounts with their own metrics: those that need attention, then those with the most POs. The others are combined as `other`, so that the
 * metrics stay small.
 */
const accountsWithMetrics = 50;

/** The health of a runtime's process. */
export const openHealth = (runtime: Runtime): Health => {
  const { config, ledger, queues, accounts } = runtime;
  return createHealth({
    version: readPackage().version,
    namedAccounts: accountsWithMetrics,
    readFigures: () => readFigures(ledger.pool),
    readQueues: () => queues.readFigures(),
    ...readinessParts(runtime),
    pollDueAfter: (account, polledAt) => {
      const schedule = config.accounts.find(({ name }) => name === account)?.schedule;
      if (!schedule) return undefined;
      const { poll, timeZone } = schedule;
      return 'everyMs' in poll
        ? new Date(polledAt.getTime() + poll.everyMs)
        : nextRuns(poll.cron, timeZone, polledAt, 1)[0];
    },
    isClosed: (account, now) => {
      const schedule = config.accounts.find(({ name }) => name === account)?.schedule;
      return schedule !== undefined && whyClosed(schedule, now) !== undefined;
    },
    backupDue: (lastDueAt) => firstMissedBackup(config, lastDueAt),
    onCall: accounts.onCall,
  });
};

/** Serves the health of a process without a console. Undefined if the configuration names no port for it. */
export const serveHealth = async (
  runtime: Runtime,
): Promise<{ url: string; stop(): Promise<void> } | undefined> => {
  const { config, logger, ledger } = runtime;
  const { host, port } = config.health;
  if (port === undefined) return undefined;
  return listenHealth(openHealth(runtime), {
    host,
    port,
    isLocal: isLoopback(host),
    isOwnHost: createHostCheck(undefined),
    // The metrics show all accounts.
    isTokenValid: async (token) => (await touchToken(ledger.pool, hashSecret(token)))?.accounts === null,
    logger,
  });
};
