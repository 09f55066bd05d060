import { messageOf, plainCause } from '../../errors.ts';
import type { Sent } from '../types.ts';

const timeoutMs = 15_000;

/** Answers that may be temporary: too early, too many, or from a proxy. */
const passing = new Set([401, 403, 404, 407, 408, 409, 410, 425, 429]);

export interface PostOptions {
  headers?: Record<string, string>;
  /** How long to wait for the answer. */
  timeoutMs?: number;
}

const whyNot = (thrown: unknown, limitMs: number): string => {
  if ((thrown as { name?: string }).name === 'TimeoutError') return `no answer within ${limitMs / 1000} s`;
  const { cause } = thrown as { cause?: unknown };
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  return plainCause(messageOf(inner ?? thrown));
};

/**
 * Posts a JSON text and reads only the status of the answer. Follows no redirect, because the content is for one receiver.
 * Never throws. The address may be a secret, so errors name only its host.
 */
export const postJson = async (
  url: string,
  body: string,
  { headers = {}, timeoutMs: limitMs = timeoutMs }: PostOptions = {},
): Promise<Sent> => {
  const { host } = new URL(url);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'cartwright', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    await answer.body?.cancel();
    const { status } = answer;
    if (status >= 200 && status < 300) return { kind: 'sent' };
    if (status >= 300 && status < 400) {
      return {
        kind: 'failed',
        message: `${host} redirects (${status}), and redirects are not followed: check the address of the route`,
      };
    }
    const kind = status >= 400 && status < 500 && !passing.has(status) ? 'refused' : 'failed';
    return { kind, message: `${host} answered with status ${status}` };
  } catch (thrown) {
    return { kind: 'failed', message: `${host} cannot be reached: ${whyNot(thrown, limitMs)}` };
  }
};
