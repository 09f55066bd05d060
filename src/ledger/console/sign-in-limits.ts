import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ledgerSchema } from '../migrate.ts';

const minutes = 15;

/** The key of a user name's failures. Names are of any length; keys are not. */
const keyOf = (userName: string): string => Buffer.from(userName.toLowerCase()).toString('hex').slice(0, 200);

/** Forgets the failures of a user name, in the caller's transaction. */
export const forgetFailures = async (client: Pick<pg.Pool, 'query'>, userName: string): Promise<void> => {
  await client.query('delete from console_sign_ins where key = $1', [`user:${keyOf(userName)}`]);
};

export interface SignInLimits {
  /**
   * Counts an attempt before its password is checked, so that attempts at the same moment count too.
   * @returns seconds until the next attempt is allowed, or undefined if this one is
   */
  admit(userName: string, address: string): Promise<number | undefined>;
  /** Forgets the failures of a user who has signed in. */
  succeed(userName: string, address: string): Promise<void>;
}

/**
 * Limits failed sign-ins in all processes together: 10 for each user name and 50 for each address in 15 minutes.
 */
export const createSignInLimits = (pool: pg.Pool): SignInLimits => {
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: pool,
      storeType: 'pool',
      schemaName: ledgerSchema,
      tableName: 'console_sign_ins',
      tableCreated: true,
      keyPrefix,
      points,
      duration: minutes * 60,
      clearExpiredByTimeout: true,
    });
  const byUser = limiter('user', 10);
  const byAddress = limiter('address', 50);
  return {
    async admit(userName, address) {
      try {
        await byAddress.consume(address);
        await byUser.consume(keyOf(userName));
        return undefined;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return refused.msBeforeNext / 1000;
        throw refused;
      }
    },
    async succeed(userName, address) {
      await byUser.delete(keyOf(userName));
      await byAddress.reward(address, 1);
    },
  };
};
