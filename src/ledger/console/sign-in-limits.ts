import { isIPv6 } from 'node:net';
import type pg from 'pg';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { ledgerSchema } from '../migrate.ts';
import { onlyValue } from '../query.ts';

const minutes = 15;

/** The key of a user name's failures. Names are of any length; keys are not. */
const keyOf = (userName: string): string => Buffer.from(userName.toLowerCase()).toString('hex').slice(0, 200);

/** A network provider assigns an IPv6 subscriber all addresses that share the first half. */
const networkOf = (address: string): string => {
  if (!isIPv6(address) || /^::ffff:/i.test(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head.split(':').filter((one) => one !== '');
  const rest = tail.split(':').filter((one) => one !== '');
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
    : [];
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':');
};

/** Forgets the failures of a user name from all addresses, in the caller's transaction. */
export const forgetFailures = async (client: Pick<pg.Pool, 'query'>, userName: string): Promise<void> => {
  const key = keyOf(userName);
  await client.query(`delete from console_sign_ins where key = $1 or starts_with(key, $2)`, [
    `user:${key}`,
    `from:${key}@`,
  ]);
};

/** Whether the user has signed in from this address before. */
const isKnown = (pool: pg.Pool, userName: string, address: string): Promise<boolean> =>
  onlyValue(
    pool,
    `select exists (select from console_sessions s join console_users u on u.id = s.user_id
       where lower(u.name) = lower($1) and s.address = $2) as known`,
    [userName, address],
  );

export interface SignInLimits {
  /**
   * Counts an attempt before its password is checked, so that concurrent attempts count as well.
   * @returns seconds until the next attempt is allowed, or undefined if this one is
   */
  admit(userName: string, address: string): Promise<number | undefined>;
  /** Forgets the failures of a user who has signed in. */
  succeed(userName: string, address: string): Promise<void>;
}

/**
 * Limits failed sign-ins in all processes together, in 15 minutes: 10 for each user name from one address, 50 for each address, and 100 for
 * a name from all addresses from which its user has never signed in. So nobody can lock out a user by failing from elsewhere.
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
  const byPair = limiter('from', 10);
  const byStranger = limiter('user', 100);
  const byAddress = limiter('address', 50);
  return {
    async admit(userName, address) {
      try {
        await byAddress.consume(networkOf(address));
        await byPair.consume(`${keyOf(userName)}@${networkOf(address)}`);
        if (!(await isKnown(pool, userName, address))) await byStranger.consume(keyOf(userName));
        return undefined;
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return refused.msBeforeNext / 1000;
        throw refused;
      }
    },
    async succeed(userName, address) {
      await byPair.delete(`${keyOf(userName)}@${networkOf(address)}`);
      await byAddress.reward(networkOf(address), 1);
    },
  };
};
