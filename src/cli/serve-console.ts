import { fileURLToPath } from 'node:url';
import { describeSettings } from '../config/describe-settings.ts';
import { type ListeningConsole, listenConsole } from '../console/listen-console.ts';
import { packageFolder, readPackage } from '../package.ts';
import { addQueueView } from '../queue/queue-view.ts';
import type { Runtime } from '../worker/open-runtime.ts';
import { startBulkRuns } from '../worker/run-bulk.ts';
import { startNotifier } from '../worker/start-notifier.ts';
import { writeDueResults } from '../worker/write-due-results.ts';
import { createConsoleWork } from './console-work.ts';
import { openHealth } from './open-health.ts';

/** Serves the console of a runtime. @see listenConsole */
export const serveConsole = async (runtime: Runtime): Promise<ListeningConsole> => {
  const { config, logger, ledger, queues } = runtime;
  const health = openHealth(runtime);
  const work = createConsoleWork(runtime);
  const listening = await listenConsole({
    health,
    pool: ledger.pool,
    version: readPackage().version,
    config,
    describeSettings: () => describeSettings(config).map(({ name, value }) => ({ name, value })),
    settings: config.console,
    logger,
    work,
    addQueueView: (app, path) =>
      addQueueView(app, { bullQueues: queues.bullQueues, path, readOnly: config.console.queues.readOnly }),
    webFolder: fileURLToPath(new URL('dist/console', packageFolder)),
  });
  const bulkRuns = startBulkRuns({
    pool: ledger.pool,
    logger,
    fillAccounts: work.fillAccounts,
    writeDueResults: () => writeDueResults(runtime),
  });
  // A console that runs alone must detect that no worker is running.
  const notifier = startNotifier({
    pool: ledger.pool,
    config,
    logger,
    reads: () => runtime.accounts.serving().reads,
  });
  return {
    ...listening,
    stop: async () => {
      health.stop();
      await listening.stop();
      await notifier.stop();
      await bulkRuns.stop();
    },
  };
};
