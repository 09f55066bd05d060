import { createHash } from 'node:crypto';
import { type Endpoint, type FaultRule, type FaultRuleInput, faultRule } from './fault-rules.ts';

/** The fault rules in force, and how often each was met. Kept in this process; off where there are none. */
export interface Faults {
  /** The fault to give to this call, or undefined. Counts. */
  pick(endpoint: Endpoint, poNumber: string | null): FaultRule | undefined;
  /** Puts these rules in place of all that were there, their counts at zero. Throws where faults are refused. */
  replace(rules: readonly FaultRuleInput[]): void;
  list(): { rule: FaultRule; met: number; given: number }[];
}

/** A number from 0 to 1 that depends on the seed and on how many calls came before, and on nothing else. */
const chance = (seed: number, nth: number): number =>
  createHash('sha256').update(`${seed}/${nth}`).digest().readUInt32BE() / 2 ** 32;

/**
 * @param refusedBecause why no rule may ever be in force here, as part of a sentence; undefined where they may
 */
export const createFaults = (rules: readonly FaultRuleInput[], refusedBecause?: string): Faults => {
  let entries: { rule: FaultRule; met: number; given: number }[] = [];
  const replace = (wanted: readonly FaultRuleInput[]) => {
    if (refusedBecause !== undefined && wanted.length > 0) {
      throw new Error(`Fault modes are refused: ${refusedBecause}.`);
    }
    entries = wanted.map((rule) => ({ rule: faultRule.parse(rule), met: 0, given: 0 }));
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
