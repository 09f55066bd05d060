import { cuts, type FaultRuleInput, faultKinds } from '../../src/service/fault-rules.ts';

/** These pause the account, so if they were as frequent as the others, there would be no time to place orders. */
const pausing = new Set(['429-seconds', '429-date', 'redirect', 'html']);

/**
 * Every kind of fault at every endpoint, and late effects after every kind of failure; together they affect this share of the
 * calls. Effects come just within the limit that the promise assumes (docs/promise.md): twice the request timeout.
 */
export const faultRules = (share: number, seed: number, requestTimeoutMs: number): FaultRuleInput[] => {
  const latestEffectMs = 1.99 * requestTimeoutMs;
  const kinds: { rule: FaultRuleInput; weight: number }[] = faultKinds
    .filter((kind) => kind !== 'act-late')
    .map((kind) => ({ rule: { kind, delayMs: 300 }, weight: pausing.has(kind) ? 0.25 : 1 }));
  const late = cuts.map((cutBy, at) => ({
    rule: {
      kind: 'act-late' as const,
      cutBy,
      delayMs: Math.round(latestEffectMs * (0.05 + (0.95 * at) / (cuts.length - 1))),
    },
    weight: pausing.has(cutBy) ? 0.125 : 0.25,
  }));
  const all = [...kinds, ...late];
  const weights = all.reduce((sum, { weight }) => sum + weight, 0);
  return all.map(({ rule, weight }, at) => ({
    ...rule,
    probability: (share * weight) / weights,
    seed: seed * 100 + at,
    retryAfterSeconds: 1,
  }));
};
