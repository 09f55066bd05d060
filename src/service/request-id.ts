import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The id of a request in answers, logs and the audit log: the client's `X-Request-Id` if it is a short plain word. */
export const newRequestId = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
};
