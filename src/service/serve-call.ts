import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import { whyPoNumberIsUnusable } from '../contract/carts.ts';
import { type Answer, sendAnswer } from './answer.ts';
import { type RequestFacts, writeAudit } from './audit.ts';
import type { StoreDeps } from './carts-store.ts';
import type { ChangeRequest } from './change-po.ts';
import { closeUnanswered } from './close-unanswered.ts';
import type { DelayedCall, Gate } from './control/gate.ts';
import type { Dealer } from './dealer-schema.ts';
import type { Endpoint } from './fault-rules.ts';
import type { Faults } from './faults.ts';
import type { FaultInjector } from './inject-fault.ts';
import { type ProblemCode, problemKinds } from './problems.ts';
import type { RateLimit } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by authentication for every call of the endpoints of spec 4. */
    dealer: Dealer | undefined;
    /** Set by the latency until the call is carried out. */
    delayed: DelayedCall | undefined;
  }
  interface FastifyContextConfig {
    /** The route's endpoint of spec 4. */
    endpoint?: Endpoint;
    /** The route is for supervisors and answers every caller. */
    forProbes?: boolean;
  }
}

export interface CallDeps extends StoreDeps {
  pool: pg.Pool;
  faults: Faults;
  faultInjector: FaultInjector;
  /** Makes a reset wait until running calls have ended. */
  gate: Gate;
}

/** A call of one of the endpoints of spec 4, validated against the contract. */
export interface Call extends ChangeRequest {
  dealer: Dealer;
}

const changing: ReadonlySet<Endpoint> = new Set(['createCart', 'addItem', 'deleteCart', 'submitOrder']);

/** The PO number that a request names; null if it names none or one that is refused. */
export const poNumberOf = (request: FastifyRequest): string | null => {
  for (const source of [request.params, request.body]) {
    const value = (source as { po_number?: unknown } | null | undefined)?.po_number;
    if (typeof value === 'string') return whyPoNumberIsUnusable(value) === undefined ? value : null;
  }
  return null;
};

/** The facts of a request for the audit log; undefined before its dealer is known. */
const factsOf = (request: FastifyRequest): RequestFacts | undefined => {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || !request.dealer) return undefined;
  return { requestId: request.id, dealer: request.dealer.name, poNumber: poNumberOf(request), endpoint };
};

/** Writes a refused request to the audit log if its endpoint changes something. */
export const auditRefusal = async (
  deps: StoreDeps,
  request: FastifyRequest,
  code: ProblemCode,
): Promise<void> => {
  const facts = factsOf(request);
  if (!facts || !changing.has(facts.endpoint)) return;
  await writeAudit(deps.pool, {
    ...facts,
    outcome: 'refused',
    status: problemKinds[code][0],
    detail: { code },
  });
};

/**
 * Serves a valid call: injects the fault that a rule selects, or carries the call out and sends its answer. Refusals
 * and injected faults are written to the audit log here; changes are logged by the transaction that makes them.
 */
export const createServeCall =
  (deps: CallDeps) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    act: (call: Call) => Promise<Answer>,
  ): Promise<FastifyReply> => {
    if (request.delayed?.dropped) return closeUnanswered(reply);
    request.delayed?.end();
    const facts = factsOf(request)!;
    const call: Call = {
      dealer: request.dealer!,
      facts,
      key: { dealer: facts.dealer, poNumber: facts.poNumber ?? '' },
    };
    const actAndAudit = () =>
      deps.gate.run(async () => {
        const answer = await act(call);
        if (answer.kind === 'problem') await auditRefusal(deps, request, answer.code);
        return answer;
      });
    // A reset must wait until the chosen rule is in the audit log and, if it delays the call, takes effect.
    const rule = await deps.gate.run(async () => {
      const picked = deps.faults.pick(facts.endpoint, facts.poNumber);
      if (picked)
        await writeAudit(deps.pool, {
          ...facts,
          outcome: 'fault',
          status: null,
          detail: { kind: picked.kind },
        });
      return picked;
    });
    if (!rule) return sendAnswer(reply, await actAndAudit(), deps.config.envelope);
    if (request.journalEntry) request.journalEntry.fault = rule.kind;
    return deps.faultInjector.inject(rule, reply, { key: facts, act: actAndAudit });
  };

/**
 * Applies the configured latency, the rate limit and the dealer's access. Undefined admits the call; `dropped`: a reset came
 * during the latency.
 */
export const createAdmission =
  (deps: CallDeps, rateLimit: RateLimit) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<Answer | 'dropped' | undefined> => {
    const dealer = request.dealer!;
    if (deps.config.latencyMs > 0) {
      const key = { dealer: dealer.name, poNumber: poNumberOf(request) };
      const delayed = await deps.gate.delay(deps.config.latencyMs, key);
      if (delayed.dropped) return 'dropped';
      request.delayed = delayed;
      reply.raw.once('close', delayed.end);
    }
    const waitMs = await rateLimit(dealer.name);
    if (waitMs > 0) {
      const seconds = Math.ceil(waitMs / 1_000);
      reply.header('retry-after', String(seconds));
      return { kind: 'problem', code: 'too_many_requests', detail: `Retry after ${seconds} s.` };
    }
    const { endpoint } = request.routeOptions.config;
    if (dealer.access === 'none' || (dealer.access === 'read' && endpoint && changing.has(endpoint))) {
      return {
        kind: 'problem',
        code: 'forbidden',
        detail: `This token has the access "${dealer.access}".`,
      };
    }
    return undefined;
  };
