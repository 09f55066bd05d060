import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checked } from './control/checked.ts';
import { type Endpoint, type FaultRule, type FaultRuleInput, faultRule } from './fault-rules.ts';
import { RefusedRequest } from './read-body.ts';

/** The active fault rules with their counts. They live in this process only. */
export interface Faults {
  /** The rule that fires for this call, or undefined. Updates the counts. */
  pick(endpoint: Endpoint, poNumber: string | null): FaultRule | undefined;
  /** Replaces all rules and resets the counts. Throws RefusedRequest if a rule is invalid or faults are not allowed here. */
  replace(rules: readonly FaultRuleInput[]): void;
  /** `met`: calls that matched. `given`: calls for which the rule fired. */
  list(): { rule: FaultRule; met: number; given: number }[];
}

/** A number from 0 to 1 that depends only on the seed and the number of the call. */
const chance = (seed: number, nth: number): number =>
  createHash('sha256').update(`${seed}/${nth}`).digest().readUInt32BE() / 2 ** 32;

/**
 * @param refusedBecause why faults are not allowed here, as part of a sentence; undefined if they are allowed
 */
export const createFaults = (rules: readonly FaultRuleInput[], refusedBecause?: string): Faults => {
  let entries: { rule: FaultRule; met: number; given: number }[] = [];
  const replace = (given: readonly FaultRuleInput[]) => {
    const next = checked(z.array(faultRule), given, 'The fault rules were not replaced');
    if (refusedBecause !== undefined && next.length > 0) {
      throw new RefusedRequest('forbidden', `Fault rules are not allowed: ${refusedBecause}.`);
    }
    entries = next.map((rule) => ({ rule, met: 0, given: 0 }));
  };
  replace(rules);
  return {
    replace,
    list: () => entries.map((entry) => ({ ...entry })),
    pick: (endpoint, poNumber) => {
      for (const entry of entries) {
        const { rule } = entry;
        if (rule.endpoint !== 'any' && rule.endpoint !== endpoint) continue;
        if (rule.poNumber !== undefined && rule.poNumber !== poNumber) continue;
        if (rule.count !== undefined && entry.given >= rule.count) continue;
        entry.met += 1;
        if (entry.met <= rule.skip) continue;
        if (rule.probability < 1 && chance(rule.seed, entry.met) >= rule.probability) continue;
        entry.given += 1;
        return rule;
      }
      return undefined;
    },
  };
};
