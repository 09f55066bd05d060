import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { watchDatabase } from '../ledger/database-liveness.ts';
import type { ConsoleApp } from './console-app.ts';
import { explainError } from './explain-error.ts';
import { ConsoleProblem, sendProblem } from './problems.ts';

/** A request that takes longer makes the console ask whether the ledger answers at all. */
const lateMs = 2500;
/** The same while it is known that it does not: then nobody waits for long. */
const lateAgainMs = 250;
/** The ledger has this long to answer. Both together are how long a person waits at most. */
const patienceMs = 2500;

/** Thrown in the place of an answer that this process owes. */
const tooBusy = () =>
  new ConsoleProblem(
    'busy',
    'The console has too much to do at the moment. Nothing was done; try again in a few seconds.',
    { retryAfter: 5 },
  );

/** Thrown in the place of an answer that the ledger owes. */
const notAnswering = () => Object.assign(new Error('the ledger does not answer'), { code: 'ETIMEDOUT' });

/**
 * Answers a request for which the ledger is not there, and not one that only waits for this process: a Postgres that is frozen or cut off keeps its connections open and never
 * answers on them. The bound is on the server and not on a statement, because a large ledger may well take long for an answer,
 * a preview reads whole files, and a statement that is given up on this side still runs on the other one.
 */
export const answerInTime = (app: ConsoleApp, pool: pg.Pool): void => {
  const database = watchDatabase(pool, patienceMs);
  const timers = new WeakMap<FastifyRequest, NodeJS.Timeout>();

  const look = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isOver = () => reply.sent || reply.raw.headersSent || reply.raw.destroyed;
    if (isOver()) return;
    // As long as a file is still coming in, nobody waits for the ledger.
    const heard = request.raw.complete === false ? 'answers' : await database.check();
    if (isOver()) return;
    // An action that has started may still finish, so its outcome is not known yet.
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
