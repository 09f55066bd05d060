import type { FailedCall } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import type { PlacingRules } from './options.ts';
import type { PauseCode } from './service-causes.ts';

export interface Pause {
  code: PauseCode;
  reason: string;
  /** The length of the first pause; each further one without a success in between lasts twice as long, up to `capMs`. */
  firstMs: number;
  /** Equal to `firstMs` if the service says how long to wait: no backoff. */
  capMs: number;
}

/** The effect of a pause on the account. */
export interface PauseEffect {
  /** `unchanged`: it was already paused, for the same reason and about as long. */
  change: 'begun' | 'changed' | 'unchanged';
  /** Milliseconds until the account's pause ends. */
  waitMs: number;
}

const hourMs = 3_600_000;
export const firstPauseMs = 1000;
/** The longest pause while a service cannot be reached, or answers no call. */
export const unreachableCapMs = 60_000;

/** 1 s, 2 s, 4 s … up to the cap. */
export const backoffMs = (times: number, capMs: number): number =>
  Math.min(capMs, firstPauseMs * 2 ** Math.min(times, 30));

/** What a failed call says about the service or the connection to it. Pure. */
export const causeOf = (failed: FailedCall): PauseCode => {
  switch (failed.kind) {
    case 'limited':
      return 'rate_limited';
    case 'denied':
      return failed.cause ?? 'credential_refused';
    case 'misdirected':
      return failed.cause ?? 'redirected';
    case 'not_sent':
      return failed.cause ?? 'service_unreachable';
    case 'unknown':
      return 'not_answering';
    default:
      return 'not_this_service';
  }
};

/**
 * Rule 13: how an account pauses after an answer that concerns the account rather than the PO. Every pause ends on its own:
 * the next PO tries, and if the cause persists the next pause is longer.
 */
export const pauseFor = (failed: FailedCall, rules: PlacingRules): Pause => {
  const about = { code: causeOf(failed), reason: failed.message };
  if (failed.kind === 'limited') {
    // A date in the past, or zero seconds, must not lead to a stream of refused calls.
    const waitMs = Math.min(hourMs, Math.max(firstPauseMs, failed.waitMs ?? 30_000));
    return { ...about, firstMs: waitMs, capMs: waitMs };
  }
  const capMs = failed.kind === 'not_sent' ? unreachableCapMs : rules.deniedPauseMs;
  return { ...about, firstMs: firstPauseMs, capMs };
};

/** The part of the ledger for pausing and continuing accounts. */
export interface PauseLedger {
  /** Rule 13. Never shortens a pause. Pauses that several POs cause at the same time count as one. */
  pauseAccount(account: string, pause: Pause): Promise<PauseEffect>;
  /** After a success: the backoff starts again. A running pause continues. True when a pause ended. */
  clearPause(account: string): Promise<boolean>;
}

/** Pauses the account and logs a change. Returns the milliseconds until the pause ends. */
export const pauseAndLog = async (
  { ledger, logger }: { ledger: PauseLedger; logger: Logger },
  account: string,
  pause: Pause,
): Promise<number> => {
  const { change, waitMs } = await ledger.pauseAccount(account, pause);
  const fields = { account, code: pause.code, reason: pause.reason, waitMs: Math.round(waitMs) };
  if (change === 'begun')
    logger.warn(fields, 'The account is paused; nothing is sent for it until the pause ends');
  if (change === 'changed') logger.warn(fields, 'The account remains paused');
  return waitMs;
};

/** Lets the account continue after a success, and logs the end of its pause. */
export const continueAndLog = async (
  { ledger, logger, resumed }: { ledger: PauseLedger; logger: Logger; resumed?: Resumed | undefined },
  account: string,
): Promise<void> => {
  if (!(await ledger.clearPause(account))) return;
  logger.info({ account }, 'The account is no longer paused; calls succeed again');
  await resumed?.(account);
};

/** Called when the pause of an account has ended, to give its POs jobs again. */
export type Resumed = (account: string) => Promise<void>;
