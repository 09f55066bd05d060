import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { numberChanges, readFeed } from '../ledger/feed.ts';
import { failReceiver, knowReceivers, listDueReceivers, moveReceiver } from '../ledger/sync-receivers.ts';
import { withLock } from '../ledger/with-lock.ts';
import type { Logger } from '../logger.ts';
import { repeat } from '../repeat.ts';
import { toCloudEvent } from '../sync/change.ts';
import { postChanges } from '../sync/post-changes.ts';
import { nextTryMs, parkAfterMs, type SyncWebhook } from '../sync/webhook.ts';

const everyMs = 1000;
const stopMs = 5000;
const wantedEveryMs = 600_000;
/** Receivers served at the same time: a dead one occupies its place for 15 s, and then pauses. */
const atOnce = 16;
/** Requests to one receiver before the next one's turn. */
const requestsInTurn = 100;

interface Parts {
  pool: pg.Pool;
  logger: Logger;
  /** The webhooks of this process's accounts. */
  webhooks: readonly SyncWebhook[];
}

/** Sends a receiver its outstanding changes, one request after the other, so that changes of a PO arrive in order. */
const send = async (
  { pool, logger }: Parts,
  webhook: SyncWebhook,
  isStopping: () => boolean,
): Promise<void> => {
  const { account, name } = webhook;
  // Read under the lock: another process may have sent something meanwhile.
  const [receiver] = await listDueReceivers(pool, [webhook]);
  if (!receiver) return;
  let { position, tries } = receiver;
  for (let requests = 0; requests < requestsInTurn && !isStopping(); requests += 1) {
    const page = await readFeed(pool, { position }, [account], webhook.batch);
    if (page.kind === 'read_anew') {
      logger.error(
        { account, code: 'sync_too_old' },
        `Changes for the webhook ${name} are older than 30 days and were removed; it continues with new changes`,
      );
      if (!(await moveReceiver(pool, { account, name, position }, { ...page.start, sent: false }))) return;
      position = page.start.position;
      continue;
    }
    const { changes, era, next } = page;
    if (changes.length > 0) {
      const posted = await postChanges(
        webhook,
        changes.map((change) => toCloudEvent(change, era)),
      );
      if (posted.kind === 'failed') {
        tries += 1;
        const failed = { error: posted.message, waitMs: nextTryMs(tries), parkAfterMs };
        const isParked = await failReceiver(pool, { account, name }, failed);
        if (isParked)
          logger.error(
            { account, code: 'sync_parked', reason: posted.message },
            `The webhook ${name} has confirmed nothing for three days and is sent nothing any more; \`cartwright sync resume ${account} ${name}\` begins again`,
          );
        else if (tries === 1)
          logger.warn(
            { account, code: 'sync_failed', reason: posted.message },
            `Changes could not be sent to the webhook ${name}; it is tried again`,
          );
        return;
      }
    }
    const moved = await moveReceiver(
      pool,
      { account, name, position },
      { position: next.position, sent: changes.length > 0 },
    );
    // A person has moved the receiver's position meanwhile (`sync resume --since`).
    if (!moved || changes.length === 0) return;
    if (tries > 0) logger.info({ account }, `The webhook ${name} confirms changes again`);
    tries = 0;
    ({ position } = next);
  }
};

/**
 * Sends every change of an account to its webhooks, at least once. Safe in any number of processes: one at a time serves a receiver.
 * Receivers do not wait for each other, and placing does not wait for them.
 */
export const startSendingChanges = (parts: Parts): { stop(): Promise<void> } => {
  const { pool, logger } = parts;
  const webhooks = parts.webhooks.filter(({ problem }) => problem === undefined);
  for (const { account, name, problem } of parts.webhooks) {
    if (problem !== undefined)
      logger.warn(
        { account, code: 'sync_unusable', reason: problem },
        `Nothing can be sent to the webhook ${name}`,
      );
  }
  if (webhooks.length === 0) return { stop: async () => {} };
  const keyOf = ({ account, name }: { account: string; name: string }) => `${account} ${name}`;
  const byKey = new Map(webhooks.map((webhook) => [keyOf(webhook), webhook]));
  const sending = new Map<string, Promise<void>>();
  let knownAt = Number.NEGATIVE_INFINITY;
  /** Only for debugging: if the ledger cannot be reached, other parts of the worker already report it. */
  const leave = (err: unknown): void => logger.debug({ err }, 'Changes have to wait');

  const look = async (isStopped: () => boolean): Promise<void> => {
    if (performance.now() - knownAt > wantedEveryMs) {
      await knowReceivers(pool, webhooks);
      knownAt = performance.now();
    }
    await numberChanges(pool);
    const idle = webhooks.filter((webhook) => !sending.has(keyOf(webhook)));
    for (const receiver of await listDueReceivers(pool, idle)) {
      if (sending.size >= atOnce) break;
      const key = keyOf(receiver);
      const work = withLock(pool, `sync ${key}`, () => send(parts, byKey.get(key)!, isStopped))
        .catch(leave)
        .then(() => void sending.delete(key));
      sending.set(key, work);
    }
  };
  const loop = repeat(look, { everyMs, failed: leave });
  return {
    stop: async () => {
      await loop.stop();
      // Another process repeats a request that takes longer.
      await Promise.race([Promise.all(sending.values()), sleep(stopMs, undefined, { ref: false })]);
    },
  };
};
