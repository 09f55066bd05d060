import { Counter, Histogram, type Registry } from 'prom-client';
import type { ObservedCall } from '../dealer-api/answers.ts';
import { otherAccounts } from './name-accounts.ts';

/** From a service in the same room to the default request timeout. */
const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * Counts the calls of this process. The first `most` accounts that it calls keep counters of their own: a counter that changes
 * its name would look like a restart.
 */
export const addCallMetrics = (
  registry: Registry,
  most: number,
): ((account: string, call: ObservedCall) => void) => {
  const calls = new Counter({
    name: 'cartwright_api_calls_total',
    help: 'Calls to dealer order services that this process has made, by their result.',
    labelNames: ['account', 'result'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'cartwright_api_call_duration_seconds',
    help: 'How long calls to dealer order services took, without the wait for the limits of the account.',
    labelNames: ['call'] as const,
    buckets,
    registers: [registry],
  });
  const named = new Set<string>();
  return (account, { name, result, durationMs }) => {
    if (named.size < most) named.add(account);
    calls.inc({ account: named.has(account) ? account : otherAccounts, result });
    durations.observe({ call: name }, durationMs / 1000);
  };
};
