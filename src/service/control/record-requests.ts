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
/** The service's own pages, outside its interface. */
const unrecorded = /^\/(admin|docs|openapi\.json|healthz|readyz)([/?]|$)/;

/** The body size announced in the request's head; null if it is not announced. */
const announcedBytes = ({ headers }: FastifyRequest): number | null => {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
};

/** The journal's fields about the body of a request that was read. */
const recordedBody = ({ body, received }: FastifyRequest & { received: Buffer }) => {
  const isWhole = received.length <= maxBodyBytes;
  const isParsed = body !== undefined;
  // `stream` drops a character that was cut in two instead of replacing it.
  const text = () => new TextDecoder().decode(received.subarray(0, maxBodyBytes), { stream: !isWhole });
  return {
    body: isWhole && isParsed ? body : text(),
    bodyBytes: received.length,
    bodyCut: !isWhole,
  };
};

/** Writes every request to the journal, including refused ones and those outside the interface. */
export const recordRequests = (app: FastifyInstance, journal: Journal): void => {
  const isRead = (request: FastifyRequest): request is FastifyRequest & { received: Buffer } =>
    request.received !== undefined;
  const fill = (request: FastifyRequest) => {
    const { journalEntry: entry } = request;
    if (!entry) return;
    entry.dealer = request.dealer?.name ?? null;
    entry.poNumber = poNumberOf(request);
  };
  app.decorateRequest('journalEntry', undefined);
  app.addHook('onRequest', async (request) => {
    if (unrecorded.test(request.url)) return;
    const bodyBytes = announcedBytes(request);
    request.journalEntry = {
      at: new Date().toISOString(),
      requestId: request.id,
      dealer: null,
      poNumber: null,
      endpoint: request.routeOptions.config?.endpoint ?? null,
      method: request.method,
      path: request.url,
      body: null,
      bodyBytes,
      bodyCut: bodyBytes !== 0,
      status: null,
      durationMs: null,
      fault: null,
    };
    journal.add(request.journalEntry);
  });
  // Recorded here too, while the body is still as it was sent: if a fault cuts the connection, there is no response.
  app.addHook('preValidation', async (request) => {
    fill(request);
    if (request.journalEntry && isRead(request)) Object.assign(request.journalEntry, recordedBody(request));
  });
  app.addHook('onResponse', async (request, reply) => {
    const { journalEntry: entry } = request;
    if (!entry) return;
    fill(request);
    if (request.body === undefined && isRead(request)) Object.assign(entry, recordedBody(request));
    entry.status = reply.statusCode;
    entry.durationMs = Math.round(reply.elapsedTime);
  });
};
