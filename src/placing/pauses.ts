import type { FailedCall } from '../dealer-api/answers.ts';
import type { PlacingRules } from './options.ts';

export interface Pause {
  code: 'rate_limited' | 'credential_refused' | 'not_this_service' | 'redirected' | 'service_unreachable';
  reason: string;
  waitMs: number;
}

const hourMs = 3_600_000;
const firstPauseMs = 1000;
const unreachableCapMs = 60_000;

/** 1 s, 2 s, 4 s … up to the cap. */
export const growing = (times: number, capMs: number): number =>
  Math.min(capMs, firstPauseMs * 2 ** Math.min(times, 30));

/**
 * Rule 13: how long an account pauses for an answer that says something about the account rather than the
 * PO. Every pause ends by itself: the next PO tries, and a pause that proves still needed grows.
 */
export const pauseFor = (failed: FailedCall, pausesBefore: number, rules: PlacingRules): Pause => {
  const reason = failed.message;
  const grown = growing(pausesBefore, rules.deniedPauseMs);
  switch (failed.kind) {
    case 'limited':
      // A date that has passed, or no seconds at all, must not become a stream of refused calls.
      return {
        code: 'rate_limited',
        reason,
        waitMs: Math.min(hourMs, Math.max(firstPauseMs, failed.waitMs ?? 30_000)),
      };
    case 'denied':
      return { code: 'credential_refused', reason, waitMs: grown };
    case 'misdirected':
      return { code: 'redirected', reason, waitMs: grown };
    case 'not_sent':
      return { code: 'service_unreachable', reason, waitMs: growing(pausesBefore, unreachableCapMs) };
    default:
      return { code: 'not_this_service', reason, waitMs: grown };
  }
};
