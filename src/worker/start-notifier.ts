import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import {
  hasNotifications,
  markDelivered,
  markUndelivered,
  pruneNotifications,
  wantKinds,
  withOutbox,
} from '../ledger/notifications.ts';
import type { Logger } from '../logger.ts';
import { gather, takeDue, wantedKinds } from '../notify/gather.ts';
import { retryMs } from '../notify/plan-messages.ts';
import { sendMessage } from '../notify/send-message.ts';
import type { Route } from '../notify/settings.ts';
import type { OpenMessage } from '../notify/types.ts';
import { repeat } from '../repeat.ts';
import { createAlarmLooks } from './look-for-alarms.ts';
import { findAttachments } from './report-attachments.ts';

const everyMs = 1_000;
const stopMs = 5_000;
const lookEveryMs = 60_000;
const pruneEveryMs = 3_600_000;
/** Give up a refused message sooner, because the messages behind it wait. */
const refusedForMs = 3_600_000;

interface NotifierParts {
  pool: pg.Pool;
  config: Config;
  logger: Logger;
  /** Accounts whose folders are here. */
  reads: () => readonly string[];
}

/** Delivers one message and records the result. */
const deliver = async (
  { pool, config, logger }: NotifierParts,
  route: Route,
  message: OpenMessage,
): Promise<void> => {
  const { notifications } = config;
  const more = route.channel.kind === 'email' ? await findAttachments(message.sections, config) : undefined;
  const sent = await sendMessage(route, message, notifications, more);
  if (sent.kind === 'sent') {
    await markDelivered(pool, message.id);
    if (message.attempts > 1)
      logger.info({ count: message.attempts }, `Notifications to ${route.name} are delivered again`);
    return;
  }
  const { givenUp } = await markUndelivered(pool, message.id, {
    error: sent.message,
    retryMs: retryMs(message.attempts),
    giveUpAfterMs: sent.kind === 'refused' ? refusedForMs : notifications.giveUpAfterMs,
  });
  if (givenUp) {
    logger.error(
      { code: 'notification_given_up', reason: sent.message },
      `A notification to ${route.name} was given up`,
    );
  } else if (message.attempts === 1) {
    logger.warn(
      { code: 'notification_failed', reason: sent.message },
      `A notification to ${route.name} was not delivered; it is retried, and \`cartwright status\` shows it`,
    );
  }
};

const running = new WeakMap<pg.Pool, { users: number; stop(): Promise<void> }>();

const start = (parts: NotifierParts): { stop(): Promise<void> } => {
  const { pool, config, logger, reads } = parts;
  const { notifications } = config;
  const { routes } = notifications;
  const accounts = config.accounts.map(({ name }) => name);
  const looks = createAlarmLooks(pool, config, reads);
  const delivering = new Set<Promise<void>>();
  let lookedAt = Number.NEGATIVE_INFINITY;
  let prunedAt = Number.NEGATIVE_INFINITY;

  /** Only for debugging: if the ledger cannot be reached, other parts of the worker already report it. */
  const leave = (err: unknown): void => logger.debug({ err }, 'Notifications have to wait');

  for (const { name, channel } of routes) {
    if (channel.kind === 'unusable')
      logger.warn(
        { code: 'route_unusable', reason: channel.message },
        `Nothing can be sent on the route ${name}`,
      );
  }

  const deliverDue = async (): Promise<void> => {
    if (!(await hasNotifications(pool))) return;
    const taken = await withOutbox(pool, async (outbox) => {
      while ((await gather(outbox, notifications, accounts)).more);
      return takeDue(outbox, routes, reads());
    });
    for (const message of taken ?? []) {
      const route = routes.find(({ name }) => name === message.route)!;
      const delivery = deliver(parts, route, message)
        .catch(leave)
        .finally(() => delivering.delete(delivery));
      delivering.add(delivery);
    }
  };

  const look = async (): Promise<void> => {
    const now = performance.now();
    if (now - lookedAt >= lookEveryMs && routes.length > 0) {
      lookedAt = now;
      await wantKinds(pool, wantedKinds(routes));
      await looks.look(new Date()).catch(leave);
    }
    if (now - prunedAt >= pruneEveryMs) {
      prunedAt = now;
      await pruneNotifications(pool, notifications.giveUpAfterMs);
    }
    if (routes.length > 0) await deliverDue();
  };

  const loop = repeat(look, { everyMs: routes.length > 0 ? everyMs : lookEveryMs, failed: leave });
  return {
    stop: async () => {
      await loop.stop();
      // Another process repeats a delivery that takes longer.
      await Promise.race([Promise.all(delivering), sleep(stopMs, undefined, { ref: false })]);
    },
  };
};

/**
 * Notifies people: gathers the ledger's events into messages, delivers them, and raises alarms for things that did not happen. Safe
 * in any number of processes. All parts of a process that start a notifier on the same pool share one; the last `stop` ends it.
 */
export const startNotifier = (parts: NotifierParts): { stop(): Promise<void> } => {
  const notifier = running.get(parts.pool) ?? { users: 0, ...start(parts) };
  notifier.users += 1;
  running.set(parts.pool, notifier);
  let mine = true;
  return {
    stop: async () => {
      if (!mine) return;
      mine = false;
      notifier.users -= 1;
      if (notifier.users > 0) return;
      running.delete(parts.pool);
      await notifier.stop();
    },
  };
};
