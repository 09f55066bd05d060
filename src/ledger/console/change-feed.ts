import type pg from 'pg';
import { messageOf } from '../../errors.ts';
import type { Logger } from '../../logger.ts';
import { type Changes, changeChannel, changeTopics, mostIds } from '../changes.ts';

export interface ChangeFeed {
  /**
   * Calls back with what changed, at most once a second, until the listener is removed. The first call, with everything, comes once no
   * change can be missed any more. `lost`: changes may have been missed; the listener is removed and must subscribe again.
   */
  follow(listener: (changes: Changes | 'lost') => void): () => void;
  stop(): Promise<void>;
}

/** Everything may have changed. */
const anything: Changes = { topics: changeTopics.filter((topic) => topic !== 'access') };

const gatherMs = 1000;
/** Heartbeat interval and timeout of the connection: a frozen server keeps it open. */
const beatMs = 2000;
const silentMs = 3000;
/** Refresh interval if a pooler does not forward notifications. */
const blindMs = 5000;

const union = (a: string[] | undefined, b: string[] | undefined): string[] | undefined => {
  if (!a || !b) return undefined;
  const all = [...new Set([...a, ...b])];
  return all.length > mostIds ? undefined : all;
};

const merge = (a: Changes, b: Changes): Changes => ({
  topics: [...new Set([...a.topics, ...b.topics])],
  accounts: union(a.accounts, b.accounts),
  purchaseOrders: union(a.purchaseOrders, b.purchaseOrders),
  imports: union(a.imports, b.imports),
});

/** Follows changes of all processes to the ledger. One connection of this process listens while there are listeners, none otherwise. */
export const createChangeFeed = (pool: pg.Pool, logger: Logger): ChangeFeed => {
  const listeners = new Set<(changes: Changes | 'lost') => void>();
  let connection: pg.PoolClient | undefined;
  let opening: Promise<void> | undefined;
  let gathered: Changes | undefined;
  let timer: NodeJS.Timeout | undefined;
  let blind: NodeJS.Timeout | undefined;
  let beat: NodeJS.Timeout | undefined;
  let isHearing = false;
  let stopped = false;

  const close = (): void => {
    clearTimeout(timer);
    clearInterval(blind);
    clearTimeout(beat);
    isHearing = false;
    timer = undefined;
    gathered = undefined;
    const client = connection;
    connection = undefined;
    // Close the connection: one that listens must not return to the pool.
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
    // Ends the stream at once when access is revoked, instead of within a second.
    const topics = changes.topics.filter((topic) => topic !== 'access');
    if (topics.length < changes.topics.length)
      for (const listener of [...listeners]) listener({ topics: ['access'] });
    if (topics.length === 0) return;
    gathered = gathered ? merge(gathered, { ...changes, topics }) : { ...changes, topics };
    timer ??= setTimeout(tell, gatherMs);
  };
  /** Changes made while the connection was being opened were not announced to it. */
  const begin = (): void => {
    isHearing = true;
    for (const listener of [...listeners]) listener(anything);
  };
  const open = async (): Promise<void> => {
    const client = await pool.connect();
    if (stopped || listeners.size === 0) return client.release();
    connection = client;
    // A connection that was given up ends only after its successor has been opened.
    const loseThis = (reason: string) => {
      if (connection === client) lose(reason);
    };
    const expect = async (statement: string): Promise<void> => {
      beat = setTimeout(() => loseThis('the database does not answer'), silentMs);
      await client.query(statement).catch((error) => {
        // The last listener had left; a new one gets a new connection.
        if (connection === client) throw error;
      });
      if (connection !== client) return;
      clearTimeout(beat);
      // Later failures are reported by the connection itself.
      beat = setTimeout(() => void expect('select 1').catch(() => {}), beatMs);
    };
    client.on('error', (error) => loseThis(messageOf(error)));
    client.on('end', () => loseThis('the connection was closed'));
    client.on('notification', ({ payload }) => hear(JSON.parse(payload ?? '{}')));
    if ((client as unknown as { isPooled: boolean }).isPooled) {
      blind = setInterval(() => hear({ topics: [...changeTopics] }), blindMs);
      await expect('select 1');
    } else await expect(`listen ${changeChannel}`);
    if (connection === client) begin();
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
      if (isHearing) listener(anything);
      else ensureOpen();
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
