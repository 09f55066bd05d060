import { timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { hasUsers } from '../../ledger/console/users.ts';
import { hashSecret, newSecret } from './secrets.ts';

const validMs = 3_600_000;

/**
 * The one-time link with which the first admin is made. It exists in this process only, for an hour, and only while
 * there is no user.
 */
export const createFirstLink = (pool: pg.Pool) => {
  let made: { hash: Buffer; until: number } | undefined;
  return {
    /** @returns the path of a new link, which replaces an earlier one; undefined if there are users */
    make: async (): Promise<string | undefined> => {
      if (await hasUsers(pool)) return undefined;
      const { secret, hash } = newSecret();
      made = { hash, until: performance.now() + validMs };
      // The part after # stays in the browser and appears in no log or Referer.
      return `/set-up#${secret}`;
    },
    isValid: (secret: string): boolean =>
      made !== undefined && performance.now() < made.until && timingSafeEqual(made.hash, hashSecret(secret)),
    forget: (): void => {
      made = undefined;
    },
  };
};
export type FirstLink = ReturnType<typeof createFirstLink>;
