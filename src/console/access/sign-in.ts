import type { FastifyReply, FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { ConsoleSettings } from '../../config/config.ts';
import { recordActivity } from '../../ledger/console/activity.ts';
import { startSession } from '../../ledger/console/sessions.ts';
import { createSignInLimits } from '../../ledger/console/sign-in-limits.ts';
import { type ConsoleUser, findUser, storeRehashed } from '../../ledger/console/users.ts';
import { ConsoleProblem } from '../problems.ts';
import { checkPassword, hashPassword, hashSecret, newSecret } from './secrets.ts';
import { cookiesOf } from './session-cookie.ts';

/** Checks passwords and starts sessions. */
export const createSignIn = (pool: pg.Pool, settings: ConsoleSettings) => {
  const limits = createSignInLimits(pool);
  const cookie = cookiesOf(settings)('session');
  return {
    /**
     * Checks a password, within the limits for the name and the address.
     * @throws ConsoleProblem `wrong_password`, `too_many_requests`
     */
    check: async (name: string, password: string, address: string): Promise<ConsoleUser> => {
      const retryAfter = await limits.admit(name, address);
      if (retryAfter !== undefined) {
        throw new ConsoleProblem(
          'too_many_requests',
          `Too many failed sign-ins. Try again in ${Math.ceil(retryAfter / 60)} min.`,
          { retryAfter },
        );
      }
      const user = await findUser(pool, name);
      const result = await checkPassword(password, user?.password);
      if (!user || result === 'wrong') {
        await recordActivity(pool, 'sign_in_failed', { who: name, via: 'console' }, { address });
        throw new ConsoleProblem('wrong_password', 'The user name or the password is wrong.');
      }
      await limits.succeed(name, address);
      if (result === 'outdated')
        await storeRehashed(pool, user.id, user.password!, await hashPassword(password));
      return user;
    },

    /** Starts a session in the browser that made the request; an earlier one of the same browser ends. */
    start: async (
      request: FastifyRequest,
      reply: FastifyReply,
      user: Pick<ConsoleUser, 'id' | 'name'>,
    ): Promise<void> => {
      const { secret, hash } = newSecret();
      const previous = cookie.read(request);
      const { endsAt } = await startSession(pool, {
        user,
        tokenHash: hash,
        previousTokenHash: previous === undefined ? undefined : hashSecret(previous),
        address: request.ip,
        browser: (request.headers['user-agent'] ?? '').slice(0, 300),
        limits: settings.session,
      });
      cookie.set(reply, secret, endsAt);
    },

    clear: cookie.clear,
  };
};
export type SignIn = ReturnType<typeof createSignIn>;
