import { execFile } from 'node:child_process';
import type { ServiceManager } from '../config/service-manager.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** Tells the service manager how this process is. No method throws. */
export interface Notifier {
  /** The work has begun. From now on the watchdog is told that this process works, as long as `isAlive` says so. */
  ready(status: string, isAlive: () => boolean): void;
  /** What the process waits for or does, for `systemctl status`. */
  status(text: string): void;
  stopping(): void;
}

/**
 * Node has no datagram sockets of the Unix kind, so that `systemd-notify` sends the messages; it is wherever systemd is. It
 * also waits until systemd has assigned the message to this service, which ends with the sender otherwise.
 */
const program = 'systemd-notify';

/** Within one time of the watchdog a message may be late twice. */
const perWatchdog = 3;

/** Without a service manager nothing is sent. */
export const createNotifier = (manager: ServiceManager | undefined, logger: Logger): Notifier => {
  if (!manager) return { ready: () => {}, status: () => {}, stopping: () => {} };
  let warned = false;
  const run = (...variables: string[]): Promise<void> =>
    new Promise((resolve) => {
      execFile(program, variables, { env: manager.environment, timeout: 10_000 }, (failure) => {
        if (failure && !warned) {
          warned = true;
          logger.warn(
            { reason: messageOf(failure) },
            `Cannot tell systemd how this process is: ${program} fails. Install it, or use Type=exec without WatchdogSec in the unit`,
          );
        }
        resolve();
      });
    });
  // One after the other: a message that overtakes another would undo it.
  let sent = Promise.resolve();
  const send = (...variables: string[]): void => {
    sent = sent.then(() => run(...variables));
  };
  let stopping = false;
  return {
    ready: (status, isAlive) => {
      send('READY=1', `STATUS=${status}`);
      if (manager.watchdogMs === undefined) return;
      // A loop that is blocked sends nothing. While it stops, only the loop counts.
      const timer = setInterval(() => {
        if (stopping || isAlive()) send('WATCHDOG=1');
      }, manager.watchdogMs / perWatchdog);
      timer.unref();
    },
    status: (text) => send(`STATUS=${text}`),
    stopping: () => {
      stopping = true;
      send('STOPPING=1', 'STATUS=Finishing running jobs');
    },
  };
};
