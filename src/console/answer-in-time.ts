import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { watchDatabase } from '../ledger/database-liveness.ts';
import type { ConsoleApp } from './console-app.ts';
import { explainError } from './explain-error.ts';
import { ConsoleProblem, sendProblem } from './problems.ts';

/** A request that takes longer makes the console check whether the ledger answers at all. */
const lateMs = 2500;
/** The same while the last check failed, so that nobody waits long. */
const lateAgainMs = 250;
/** Timeout of the check. A person waits at most for the sum of both. */
const patienceMs = 2500;

/** The error if this process is too busy to answer. */
const tooBusy = () =>
  new ConsoleProblem(
    'busy',
    'The console has too much to do at the moment. Nothing was done; try again in a few seconds.',
    { retryAfter: 5 },
  );

/** The error if the ledger does not answer. */
const notAnswering = () => Object.assign(new Error('the ledger does not answer'), { code: 'ETIMEDOUT' });

/**
 * Ends requests when the ledger does not respond, but not those that only wait for this process: a frozen or unreachable Postgres keeps
 * connections open and never answers. The limit applies to the server and not to a statement, because a large ledger may take long to
 * answer, a preview reads whole files, and a statement abandoned here still runs on the server.
 */
export const answerInTime = (app: ConsoleApp, pool: pg.Pool): void => {
  const database = watchDatabase(pool, patienceMs);
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

  const look = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isOver = () => reply.sent || reply.raw.headersSent || reply.raw.destroyed;
    if (isOver()) return;
    // While an upload is still arriving, the request does not wait for the ledger.
    const heard = request.raw.complete === false ? 'answers' : await database.check();
    if (isOver()) return;
    // An action that has started may still finish, so its outcome is unknown.
    if (heard === 'answers' || (heard === 'starved' && request.begun)) return watch(request, reply);
    const { code, details } = explainError(heard === 'silent' ? notAnswering() : tooBusy(), request);
    sendProblem(reply, code, details);
  };
  const watch = (request: FastifyRequest, reply: FastifyReply): void => {
    const timer = setTimeout(() => void look(request, reply), database.answeredLast() ? lateMs : lateAgainMs);
    timers.set(request, timer.unref());
  };

  app.addHook('onRequest', (request, reply, done) => {
    watch(request, reply);
    done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    request.begun = true;
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    clearTimeout(timers.get(request));
    done();
  });
};
