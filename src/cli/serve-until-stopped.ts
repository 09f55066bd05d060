import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../health/readiness.ts';
import { createNotifier } from './notify-service-manager.ts';
import type { CommandContext } from './run-command.ts';

interface Served {
  /** Default: ready from the start. */
  readiness?: () => Promise<Readiness>;
  /** Whether the process's own loop works. Default: as long as timers run. */
  isAlive?: () => boolean;
  /** The activity, for `systemctl status`. */
  status: string;
}

const lookEveryMs = 1000;

const missingOf = ({ ledger, queue, folders }: Readiness): string =>
  [
    ...(ledger === 'ok' ? [] : ['the ledger']),
    ...(queue === 'ok' ? [] : ['the queue']),
    ...(folders.problems === 0 || folders.usable > 0 ? [] : ['the accounts’ folders']),
  ].join(' and ');

/** Waits for a request to stop. Meanwhile reports to systemd when the command is ready, that it is alive, and that it is stopping. */
export const serveUntilStopped = async (
  { config, logger, signals }: Pick<CommandContext, 'config' | 'logger' | 'signals'>,
  { readiness, isAlive = () => true, status }: Served,
): Promise<void> => {
  if (config.serviceManager) {
    const notifier = createNotifier(config.serviceManager, logger);
    const waitForReadiness = async (): Promise<void> => {
      for (let told = ''; readiness && !signals.isRequested(); ) {
        const found = await readiness();
        if (found.ready) return;
        const missing = missingOf(found);
        if (missing !== told) notifier.status(`Waiting for ${missing}`);
        told = missing;
        await Promise.race([sleep(lookEveryMs, undefined, { ref: false }), signals.requested]);
      }
    };
    await waitForReadiness();
    if (!signals.isRequested()) notifier.ready(status, isAlive);
    await signals.requested;
    notifier.stopping();
  }
  await signals.requested;
};
