import { execFile } from 'node:child_process';
import type { ServiceManager } from '../config/service-manager.ts';
import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** Reports the state of this process to the service manager. No method throws. */
export interface Notifier {
  /** Reports that the service is ready, and from now on pings the watchdog as long as `isAlive` returns true. */
  ready(status: string, isAlive: () => boolean): void;
  /** The current activity, for `systemctl status`. */
  status(text: string): void;
  stopping(): void;
}

/**
 * Node has no Unix datagram sockets, so `systemd-notify` sends the messages; it exists wherever systemd does. It also waits until systemd
 * has attributed the message to this service, which fails once the sender has exited.
 */
const program = 'systemd-notify';

/** Pings per watchdog interval, so that two may be late. */
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
  // Sent in order, because a message that overtakes another would undo it.
  let sent = Promise.resolve();
  const send = (...variables: string[]): void => {
    sent = sent.then(() => run(...variables));
  };
  let stopping = false;
  return {
    ready: (status, isAlive) => {
      send('READY=1', `STATUS=${status}`);
      if (manager.watchdogMs === undefined) return;
      // A blocked event loop sends nothing. While stopping, only the event loop counts.
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
