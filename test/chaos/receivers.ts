import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import type { CloudEvent } from '../../src/sync/change.ts';
import { until } from '../support/run-system.ts';

/** A program that receives the changes of an account, and fails at random. */
export interface ChangeReceiver {
  url: string;
  /** From now on it confirms everything. */
  calm(): void;
  /** Waits until it has received everything; returns the differences from the feed. */
  judge(ledger: pg.Pool, account: string, ordered: ReadonlySet<string>): Promise<string[]>;
  /** Number of requests, and of those that it failed. */
  counts(): { requests: number; failed: number };
  stop(): Promise<void>;
}

const receivedLimitMs = 120_000;

interface FeedRow {
  id: string;
  po: string;
  kind: string;
}

/** Fails every third request, before or after processing it: with a status, by closing the connection, or by never answering. */
export const startChangeReceiver = async (random: () => number): Promise<ChangeReceiver> => {
  const got: CloudEvent[] = [];
  let calmed = false;
  let requests = 0;
  let failed = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests += 1;
    const way = calmed ? 1 : random();
    if (way < 0.33) failed += 1;
    // Half of the failures come after it has processed the changes.
    if (way >= 0.16) got.push(...([JSON.parse(body)].flat() as CloudEvent[]));
    if (way >= 0.33) return response.writeHead(204).end();
    if (way % 0.04 < 0.02) return response.destroy();
    // Never answers some, so that the sender times out.
    if (way % 0.16 < 0.01) return response;
    return response.writeHead(503).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  /** Changes in the order of their first arrival. */
  const seen = (): Map<string, CloudEvent> => {
    const first = new Map<string, CloudEvent>();
    for (const event of got) if (!first.has(event.id)) first.set(event.id, event);
    return first;
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/changes`,
    calm: () => {
      calmed = true;
    },
    counts: () => ({ requests, failed }),
    judge: async (ledger, account, ordered) => {
      const isUpToDate = async (): Promise<boolean> => {
        await ledger.query(
          'update sync_receivers set next_at = clock_timestamp() where account = $1 and failing_since is not null',
          [account],
        );
        const { rows } = await ledger.query(
          `select from sync_receivers r where r.account = $1 and r.position >= (select max(position) from feed where account = $1)
             and not exists (select from feed where account = $1 and position is null)`,
          [account],
        );
        return rows.length === 1;
      };
      await until(isUpToDate, {
        limitMs: receivedLimitMs,
        everyMs: 1000,
        describe: async () =>
          JSON.stringify(
            (await ledger.query('select * from sync_receivers where account = $1', [account])).rows,
          ),
      });
      const { rows } = await ledger.query<FeedRow>(
        `select (select era from feed_head) || ':' || id as id, purchase_order_id::text as po, kind from feed where account = $1 order by position`,
        [account],
      );
      const events = seen();
      const known = new Set(rows.map(({ id }) => id));
      const places = new Map([...events.keys()].map((id, at) => [id, at]));
      const lastOf = new Map<string, { at: number; id: string }>();
      const wrong: string[] = [];
      for (const { id, po, kind } of rows) {
        const at = places.get(id);
        const last = lastOf.get(po);
        if (at === undefined) wrong.push(`change ${id} (${kind}) of PO ${po} never arrived`);
        else if (last && at < last.at)
          wrong.push(`change ${id} (${kind}) of PO ${po} came before ${last.id}`);
        if (at !== undefined) lastOf.set(po, { at, id });
      }
      for (const id of events.keys())
        if (!known.has(id)) wrong.push(`change ${id} arrived and is in no feed`);
      const told = new Set(
        [...events.values()]
          .filter(({ type }) => type === 'cartwright.po.ordered')
          .map(({ subject }) => subject),
      );
      for (const po of ordered) if (!told.has(po)) wrong.push(`nobody was told that PO ${po} is ordered`);
      for (const po of told)
        if (!ordered.has(po))
          wrong.push(`PO ${po} was told to be ordered, and the service has no order of it`);
      return wrong;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
