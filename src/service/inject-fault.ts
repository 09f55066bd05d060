import { setMaxListeners } from 'node:events';
import { text } from 'node:stream/consumers';
import type { FastifyReply } from 'fastify';
import { type Answer, answerText, jsonType, sendAnswer } from './answer.ts';
import { closeUnanswered } from './close-unanswered.ts';
import type { ServiceConfig } from './config.ts';
import type { CallKey, Gate } from './control/gate.ts';
import type { Cut, FaultRule } from './fault-rules.ts';
import { problemOf, sendProblem } from './problems.ts';

const signInPage =
  '<!doctype html><html lang="en"><head><title>Sign in</title></head><body><h1>Sign in</h1></body></html>\n';

/** Injects faults into calls. */
export interface FaultInjector {
  /**
   * Answers a call with a fault.
   * @param act carries the call out; the kind of fault decides whether it runs now, later or never
   */
  inject(
    rule: FaultRule,
    reply: FastifyReply,
    call: { key: CallKey; act: () => Promise<Answer> },
  ): Promise<FastifyReply>;
  /** Closes held connections. */
  release(): void;
  /** Closes held connections, drops delayed calls that have not started, and waits for those that have. */
  stop(): Promise<void>;
}

/**
 * @param gate delays calls, and drops delayed ones when the service is reset
 * @param onLateError is called if a delayed call fails, when there is no client left to answer
 */
export const createFaultInjector = (
  envelope: ServiceConfig['envelope'],
  gate: Gate,
  onLateError: (thrown: unknown) => void,
): FaultInjector => {
  const hanging = new Set<FastifyReply>();
  const late = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  // Each delayed call adds a listener; this is not a leak.
  setMaxListeners(0, stopping.signal);

  const hang = (reply: FastifyReply) => {
    reply.hijack();
    hanging.add(reply);
    reply.raw.once('close', () => hanging.delete(reply));
    return reply;
  };
  /** Undefined if the call was dropped: it counts as lost on the network. */
  const actAfter = async (delayMs: number, { key, act }: { key: CallKey; act: () => Promise<Answer> }) => {
    const delayed = await gate.delay(delayMs, key, stopping.signal);
    if (delayed.dropped) return undefined;
    delayed.end();
    return act();
  };
  const problem = (reply: FastifyReply, code: 'internal' | 'unavailable' | 'too_many_requests') =>
    sendProblem(reply, code, { detail: 'A fault rule caused this answer.' });
  const page = (reply: FastifyReply) => reply.type('text/html; charset=utf-8').send(signInPage);
  const cutShort = (reply: FastifyReply, whole: string) =>
    reply
      .code(200)
      .header('content-type', jsonType)
      .send(whole.slice(0, Math.floor(whole.length / 2)));
  const cut: Record<Cut, (reply: FastifyReply) => FastifyReply> = {
    hang,
    close: closeUnanswered,
    '500': (reply) => problem(reply, 'internal'),
    '503': (reply) => problem(reply, 'unavailable'),
    empty: (reply) => cutShort(reply, ''),
    truncated: (reply) => cutShort(reply, '{"cart_number":"C-1","order_number":"O-1","sku":"A"}'),
    html: (reply) => page(reply.code(200)),
    redirect: (reply) => page(reply.code(302).header('location', '/sign-in')),
  };
  const okText = async (answer: Answer) => {
    if (answer.kind === 'problem') return JSON.stringify(problemOf(answer.code));
    const whole = answerText(answer, envelope);
    return typeof whole === 'string' ? whole : await text(whole);
  };

  return {
    inject: async (rule, reply, call) => {
      const { act } = call;
      switch (rule.kind) {
        case 'close-before':
          return cut.close(reply);
        case 'hang-before':
          return cut.hang(reply);
        case 'delay': {
          const answer = await actAfter(rule.delayMs, call);
          return answer ? sendAnswer(reply, answer, envelope) : cut.close(reply);
        }
        case '500-before':
          return cut['500'](reply);
        case '503-before':
          return cut['503'](reply);
        case '429-seconds':
          return problem(reply.header('retry-after', String(rule.retryAfterSeconds)), 'too_many_requests');
        case '429-date': {
          const at = new Date(Math.ceil(Date.now() / 1_000 + rule.retryAfterSeconds) * 1_000);
          return problem(reply.header('retry-after', at.toUTCString()), 'too_many_requests');
        }
        case 'redirect':
        case 'html':
          return cut[rule.kind](reply);
        case 'close-after':
          await act();
          return cut.close(reply);
        case 'hang-after':
          await act();
          return cut.hang(reply);
        case '500-after':
          await act();
          return cut['500'](reply);
        case 'empty-after':
          await act();
          return cut.empty(reply);
        case 'truncated-after':
          return cutShort(reply, await okText(await act()));
        case 'act-late': {
          const done: Promise<unknown> = actAfter(rule.delayMs, call)
            .catch(onLateError)
            .finally(() => late.delete(done));
          late.add(done);
          return cut[rule.cutBy](reply);
        }
      }
    },
    release: () => {
      for (const reply of hanging) reply.raw.destroy();
    },
    stop: async () => {
      stopping.abort();
      for (const reply of hanging) reply.raw.destroy();
      await Promise.all(late);
    },
  };
};
