import type pg from 'pg';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { type Changes, changeChannel, changeTopics } from '../changes.ts';

export interface ChangeFeed {
  /**
   * Calls back with what changed, at most once a second, until the listener is removed. `lost` means that the feed can
   * no longer tell: the listener is removed, and has to start again.
   */
  follow(listener: (changes: Changes | 'lost') => void): () => void;
  stop(): Promise<void>;
}

/** Everything may have changed. */
const anything: Changes = { topics: [...changeTopics] };

const gatherMs = 1000;
/** How often everything may have changed where a pooler passes no notifications on. */
const blindMs = 5000;

const union = (a: string[] | undefined, b: string[] | undefined): string[] | undefined => {
  if (!a || !b) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > 50 ? undefined : all;
};

const merge = (a: Changes, b: Changes): Changes => ({
  topics: [...new Set([...a.topics, ...b.topics])],
  accounts: union(a.accounts, b.accounts),
  purchaseOrders: union(a.purchaseOrders, b.purchaseOrders),
  imports: union(a.imports, b.imports),
});

/**
 * Follows what all processes change in the ledger: one connection of this process listens while somebody follows, and
 * none otherwise.
 */
export const createChangeFeed = (pool: pg.Pool, logger: Logger): ChangeFeed => {
  const listeners = new Set<(changes: Changes | 'lost') => void>();
  let connection: pg.PoolClient | undefined;
  let opening: Promise<void> | undefined;
  let gathered: Changes | undefined;
  let timer: NodeJS.Timeout | undefined;
  let blind: NodeJS.Timeout | undefined;
  let stopped = false;

  const close = (): void => {
    clearTimeout(timer);
    clearInterval(blind);
    timer = undefined;
    gathered = undefined;
    const client = connection;
    connection = undefined;
    // The connection is closed, because one that listens must not serve others.
    client?.release(true);
  };
  const lose = (reason: string): void => {
    if (!connection) return;
    close();
    if (listeners.size > 0)
      logger.debug({ reason }, 'lost the connection that follows changes; pages follow again');
    const told = [...listeners];
    listeners.clear();
    for (const listener of told) listener('lost');
  };
  const tell = (): void => {
    timer = undefined;
    const changes = gathered;
    gathered = undefined;
    if (changes) for (const listener of listeners) listener(changes);
  };
  const hear = (changes: Changes): void => {
    gathered = gathered ? merge(gathered, changes) : changes;
    timer ??= setTimeout(tell, gatherMs);
  };
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    if (stopped || listeners.size === 0) return client.release();
    connection = client;
    // A connection that was given up ends after its successor has been opened.
    const loseThis = (reason: string) => {
      if (connection === client) lose(reason);
    };
    client.on('error', (error) => loseThis(messageOf(error)));
    client.on('end', () => loseThis('the connection was closed'));
    client.on('notification', ({ payload }) => hear(JSON.parse(payload ?? '{}')));
    if ((client as unknown as { isPooled: boolean }).isPooled) {
      blind = setInterval(() => hear(anything), blindMs);
      return;
    }
    await client.query(`listen ${changeChannel}`).catch((error) => {
      // Nobody followed any more; who does now gets a connection of their own.
      if (connection === client) throw error;
    });
    // What changed while the connection was opened was told to nobody.
    if (connection === client) hear(anything);
  };
  const ensureOpen = (): void => {
    if (connection || opening || stopped || listeners.size === 0) return;
    opening = open()
      .catch((error) => {
        close();
        const told = [...listeners];
        listeners.clear();
        logger.debug({ reason: messageOf(error) }, 'could not follow changes');
        for (const one of told) one('lost');
      })
      .finally(() => {
        opening = undefined;
        ensureOpen();
      });
  };

  return {
    follow(listener) {
      listeners.add(listener);
      ensureOpen();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
    async stop() {
      stopped = true;
      listeners.clear();
      await opening;
      close();
    },
  };
};
