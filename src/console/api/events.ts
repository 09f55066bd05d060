import type { FastifyRequest } from 'fastify';
import type { Changes } from '../../ledger/changes.ts';
import type { ChangeFeed } from '../../ledger/console/change-feed.ts';
import type { Guard } from '../access/guard.ts';
import type { ConsoleApp } from '../console-app.ts';
import { personOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { route } = routesOf('Events');

const aliveMs = 15_000;
/** A hidden page closes its stream, so a person rarely has more than a few. Each one holds a connection and is rechecked regularly. */
const mostStreams = 20;

/** The changes that a person may see: none of other accounts, and ids only if all accounts are theirs. */
const shownTo = (request: FastifyRequest, changes: Changes): Omit<Changes, 'accounts'> | undefined => {
  const own = personOf(request).accounts;
  const { accounts, ...rest } = changes;
  if (own === 'all') return rest;
  if (accounts && !accounts.some((account) => own.includes(account))) return undefined;
  return { topics: rest.topics };
};

/** Adds the stream of changes (server-sent events). */
export const addEventRoutes = (
  app: ConsoleApp,
  { feed, guard }: { feed: ChangeFeed; guard: Guard },
): void => {
  let sent = 0;
  /** The streams of each person or token in this process. */
  const open = new Map<string, number>();
  app.get(
    '/events',
    route('view', 'What changes, as server-sent events', {
      description:
        'Events `changed` with `{"topics":["purchase-orders"],"purchaseOrders":["17"],"imports":["3"]}`, at most one a second. Lists of ids are left out if they are not complete. An event `alive` comes every 15 seconds, and `ended` before the stream ends because the session or the token has, or its rights have changed. The first `changed` names all topics, so that a client that was cut off reads everything again.',
      produces: ['text/event-stream'],
    }),
    (request, reply) => {
      const { id } = personOf(request);
      const streams = open.get(id) ?? 0;
      if (streams >= mostStreams) {
        throw new ConsoleProblem(
          'too_many_requests',
          `You have ${mostStreams} pages or programs open that follow changes. Close some; this one is not live until then.`,
          { retryAfter: 30 },
        );
      }
      open.set(id, streams + 1);
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...reply.getHeaders(),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Tells reverse proxies to forward each event at once.
        'x-accel-buffering': 'no',
      } as Record<string, string>);
      const write = (event: string, data: object) => {
        sent += 1;
        raw.write(`id: ${sent}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
      };
      const end = (): void => {
        clearInterval(alive);
        unfollow();
        raw.end();
      };
      /** Ends the stream if the session has ended or its rights have changed. */
      const check = async (): Promise<boolean> => {
        if (await guard.isStillValid(request).catch(() => false)) return true;
        if (!raw.writableEnded) write('ended', {});
        end();
        return false;
      };
      const alive = setInterval(async () => {
        if ((await check()) && !raw.writableEnded) write('alive', {});
      }, aliveMs);
      write('alive', {});
      const unfollow = feed.follow((changes) => {
        // The browser reconnects, and is then told that everything may have changed.
        if (changes === 'lost') return end();
        if (changes.topics.includes('access')) return void check();
        const shown = shownTo(request, changes);
        if (shown) write('changed', shown);
      });
      raw.on('close', end);
      raw.once('close', () => {
        const left = (open.get(id) ?? 1) - 1;
        if (left > 0) open.set(id, left);
        else open.delete(id);
      });
    },
  );
};
