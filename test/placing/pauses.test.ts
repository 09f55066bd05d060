import { describe, expect, test } from 'vitest';
import type { FailedCall } from '../../src/dealer-api/answers.ts';
import { backoffMs, pauseFor } from '../../src/placing/pauses.ts';
import { rules } from './rules.ts';

const pause = (failed: FailedCall) => pauseFor(failed, rules);
const limited = (waitMs: number | undefined): FailedCall => ({
  kind: 'limited',
  waitMs,
  message: 'answered 429',
});

describe('how long an account pauses', () => {
  test('after 429 for exactly as long as the service says, between a second and an hour', () => {
    expect(pause(limited(7000))).toEqual({
      code: 'rate_limited',
      reason: 'answered 429',
      firstMs: 7000,
      capMs: 7000,
    });
    expect(pause(limited(0))).toMatchObject({ firstMs: 1000, capMs: 1000 });
    expect(pause(limited(86_400_000))).toMatchObject({ firstMs: 3_600_000, capMs: 3_600_000 });
  });

  test('after 429 that says nothing for 30 seconds', () => {
    expect(pause(limited(undefined))).toMatchObject({ firstMs: 30_000, capMs: 30_000 });
  });

  test("after a refused credential for longer and longer, up to the account's limit", () => {
    const denied: FailedCall = { kind: 'denied', status: 401, message: 'answered 401' };
    expect(pause(denied)).toEqual({
      code: 'credential_refused',
      reason: 'answered 401',
      firstMs: 1000,
      capMs: 300_000,
    });
  });

  test('when it cannot be reached for a minute at most', () => {
    const unsent: FailedCall = { kind: 'not_sent', message: 'ECONNREFUSED' };
    expect(pause(unsent)).toEqual({
      code: 'service_unreachable',
      reason: 'ECONNREFUSED',
      firstMs: 1000,
      capMs: 60_000,
    });
  });

  test('and says of a page or a strange answer that it is not this service', () => {
    expect(pause({ kind: 'misdirected', message: 'm' }).code).toBe('redirected');
    expect(pause({ kind: 'not_found', message: 'm' }).code).toBe('not_this_service');
    expect(pause({ kind: 'unsupported', status: 405, message: 'm' }).code).toBe('not_this_service');
  });

  test('waits stay finite however often it failed', () => {
    expect(backoffMs(5000, 60_000)).toBe(60_000);
  });
});
