import type { FastifyInstance, FastifyRequest } from 'fastify';
import { poNumberOf } from '../serve-call.ts';
import type { Journal, JournalEntry } from './journal.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The request's entry in the journal; undefined if it is not recorded. */
    journalEntry: JournalEntry | undefined;
  }
}

const maxBodyBytes = 4_096;
/** The service's own pages, which are none of its interface. */
const unrecorded = /^\/(admin|docs|openapi\.json|healthz|readyz)([/?]|$)/;

/** Writes every request to the journal, also refused ones and those outside the interface. */
export const recordRequests = (app: FastifyInstance, journal: Journal): void => {
  const fill = (request: FastifyRequest) => {
    const { journalEntry: entry } = request;
    if (!entry) return;
    entry.dealer = request.dealer?.name ?? null;
    entry.poNumber = poNumberOf(request);
    const isSmall = Number(request.headers['content-length'] ?? 0) <= maxBodyBytes;
    if (isSmall && request.body !== undefined) entry.body = request.body;
  };
  app.decorateRequest('journalEntry', undefined);
  app.addHook('onRequest', async (request) => {
    if (unrecorded.test(request.url)) return;
    request.journalEntry = {
      at: new Date().toISOString(),
      requestId: request.id,
      dealer: null,
      poNumber: null,
      endpoint: request.routeOptions.config?.endpoint ?? null,
      method: request.method,
      path: request.url,
      body: null,
      status: null,
      durationMs: null,
      fault: null,
    };
    journal.add(request.journalEntry);
  });
  // Also here, because a request whose connection a fault cuts has no response.
  app.addHook('preValidation', async (request) => fill(request));
  app.addHook('onResponse', async (request, reply) => {
    const { journalEntry: entry } = request;
    if (!entry) return;
    fill(request);
    entry.status = reply.statusCode;
    entry.durationMs = Math.round(reply.elapsedTime);
  });
};
