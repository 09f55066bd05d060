import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The id of a request in answers, logs and the audit log: the client's own `X-Request-Id` where it is a plain
 * short word, so that both sides can talk about the same call, else a new one.
 */
export const newRequestId = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
};
