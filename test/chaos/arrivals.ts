import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

const event = 'http.server.request.start';
const pattern = /^arrived-(\d+)-\d+$/;

/**
 * Gives each request to a service of this process an ID with the arrival time of its head, so that the audit log distinguishes
 * calls that arrived late from calls that were carried out late.
 *
 * @returns a function that ends this
 */
export const noteArrivals = (): (() => void) => {
  let count = 0;
  const note = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    count += 1;
    request.headers['x-request-id'] = `arrived-${Date.now()}-${count}`;
  };
  subscribe(event, note);
  return () => void unsubscribe(event, note);
};

/** When the request with this ID arrived; undefined: not recorded. */
export const arrivedAt = (requestId: string): Date | undefined => {
  const at = pattern.exec(requestId)?.[1];
  return at === undefined ? undefined : new Date(Number(at));
};
