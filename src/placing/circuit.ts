import type { FailedCall } from '../dealer-api/answers.ts';
import { firstPauseMs, type Pause, unreachableCapMs } from './pauses.ts';

/** Calls in a row without a usable answer after which an account pauses. */
const failuresAllowed = 5;

/** Counts, for each account, this process's calls in a row without a usable answer. */
export interface Circuit {
  /**
   * Notes how a call or lookup ended.
   *
   * @param result.failed undefined after a success
   * @param probing the account has paused and no call has succeeded since, so that one failure is enough
   * @returns the pause of the account, if the circuit opens
   */
  note(account: string, result: { failed?: FailedCall | undefined }, probing: boolean): Pause | undefined;
}

/**
 * Rule 13: timeouts, broken connections and server errors concern the account once no other answers arrive. The account
 * then pauses, rather than each of its POs failing one by one; when the pause ends, one PO tries again.
 */
export const createCircuit = (): Circuit => {
  const failures = new Map<string, number>();
  return {
    note: (account, { failed }, probing) => {
      if (failed?.kind !== 'unknown') {
        failures.delete(account);
        return undefined;
      }
      const count = (failures.get(account) ?? 0) + 1;
      failures.set(account, count);
      if (count < failuresAllowed && !probing) return undefined;
      const calls = count === 1 ? 'The service did not answer' : `${count} calls in a row failed`;
      const reason = `${calls}: ${failed.message}`;
      return { code: 'not_answering', reason, firstMs: firstPauseMs, capMs: unreachableCapMs };
    },
  };
};
