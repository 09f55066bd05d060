import type { FailedCall } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import type { PlacingRules } from './options.ts';

export interface Pause {
  code: 'rate_limited' | 'credential_refused' | 'not_this_service' | 'redirected' | 'service_unreachable';
  reason: string;
  /** The first pause in a row; each one after it, with no success in between, lasts twice as long, up to `capMs`. */
  firstMs: number;
  /** Equal to `firstMs` where the service says how long to wait: then nothing grows. */
  capMs: number;
}

/** What a pause did to the account. */
export interface PauseEffect {
  /** `unchanged`: it was paused already, for the same reason and about as long. */
  change: 'begun' | 'changed' | 'unchanged';
  /** Until the account's pause ends. */
  waitMs: number;
}

const hourMs = 3_600_000;
const firstPauseMs = 1000;
const unreachableCapMs = 60_000;

/** 1 s, 2 s, 4 s … up to the cap. */
export const growing = (times: number, capMs: number): number =>
  Math.min(capMs, firstPauseMs * 2 ** Math.min(times, 30));

/**
 * Rule 13: how an account pauses for an answer that says something about the account rather than the PO. Every pause
 * ends by itself: the next PO tries, and a pause that proves still needed grows.
 */
export const pauseFor = (failed: FailedCall, rules: PlacingRules): Pause => {
  const reason = failed.message;
  const growingTo = (capMs: number) => ({ reason, firstMs: firstPauseMs, capMs });
  switch (failed.kind) {
    case 'limited': {
      // A date that has passed, or no seconds at all, must not become a stream of refused calls.
      const waitMs = Math.min(hourMs, Math.max(firstPauseMs, failed.waitMs ?? 30_000));
      return { code: 'rate_limited', reason, firstMs: waitMs, capMs: waitMs };
    }
    case 'denied':
      return { code: 'credential_refused', ...growingTo(rules.deniedPauseMs) };
    case 'misdirected':
      return { code: 'redirected', ...growingTo(rules.deniedPauseMs) };
    case 'not_sent':
      return { code: 'service_unreachable', ...growingTo(unreachableCapMs) };
    default:
      return { code: 'not_this_service', ...growingTo(rules.deniedPauseMs) };
  }
};

/** What pausing and continuing accounts needs of the ledger. */
export interface PauseLedger {
  /** Rule 13. Never shortens a pause. Pauses of one trouble that several POs meet at once count as one. */
  pauseAccount(account: string, pause: Pause): Promise<PauseEffect>;
  /** After a success: pauses grow from the start again. True when that ended a pause; one that runs goes on. */
  clearPause(account: string): Promise<boolean>;
}

/** Pauses the account and logs when that is news. Answers when the pause ends, in milliseconds from now. */
export const pauseAndLog = async (
  { ledger, logger }: { ledger: PauseLedger; logger: Logger },
  account: string,
  pause: Pause,
): Promise<number> => {
  const { change, waitMs } = await ledger.pauseAccount(account, pause);
  const fields = { account, code: pause.code, reason: pause.reason, waitMs: Math.round(waitMs) };
  if (change === 'begun') logger.warn(fields, 'The account is paused; nothing is sent for it meanwhile');
  if (change === 'changed') logger.warn(fields, 'The account stays paused');
  return waitMs;
};

/** Lets the account continue after a success, and logs the end of its pause. */
export const continueAndLog = async (
  { ledger, logger }: { ledger: PauseLedger; logger: Logger },
  account: string,
): Promise<void> => {
  if (await ledger.clearPause(account))
    logger.info({ account }, 'The pause of the account is over; calls succeed again');
};
