import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { ConsoleSettings } from '../../config/config.ts';
import { findRights, touchSession } from '../../ledger/console/sessions.ts';
import { isTokenValid, touchToken } from '../../ledger/console/tokens.ts';
import { isEnough, type Needs, type Person, personOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { createHostCheck, isLoopback, isLoopbackAddress, isOwnSite } from './own-site.ts';
import { hashSecret } from './secrets.ts';
import { cookiesOf } from './session-cookie.ts';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];

/**
 * Checks every request before its body is read: Host must be a name of the console, no requests from other sites, a person or token if the
 * route needs one, a sufficient role, and for changes in a browser the header `x-cartwright`, which forms and other sites cannot send.
 */
export const createGuard = (pool: pg.Pool, settings: ConsoleSettings) => {
  const isOwnHost = createHostCheck(settings.publicUrl);
  // Behind a proxy, all requests seem to come from this machine.
  const isLocal =
    isLoopback(settings.host) && settings.publicUrl === undefined && settings.trustProxy.length === 0;
  const cookie = cookiesOf(settings)('session');

  const identify = async (request: FastifyRequest): Promise<Person | undefined> => {
    if (request.headers.authorization !== undefined) {
      const bearer = bearerOf(request);
      const token = bearer === undefined ? undefined : await touchToken(pool, hashSecret(bearer));
      return (
        token && {
          id: `token:${token.id}`,
          name: `token ${token.name}`,
          role: token.role,
          accounts: token.accounts ?? 'all',
          via: 'api',
          sessionId: undefined,
        }
      );
    }
    const secret = cookie.read(request);
    const session =
      secret === undefined ? undefined : await touchSession(pool, hashSecret(secret), settings.session);
    return (
      session && {
        id: session.user.id,
        name: session.user.name,
        role: session.user.role,
        accounts: session.user.accounts ?? 'all',
        via: 'console',
        sessionId: session.id,
      }
    );
  };

  const check = async (request: FastifyRequest): Promise<void> => {
    const { config } = request.routeOptions;
    // Fastify gives the forwarded host of a trusted proxy here.
    if (!isOwnHost(request.host) && !config.anyHost) {
      throw new ConsoleProblem(
        'foreign_site',
        'The console does not know itself under this address. Open it under the address that `cartwright up` prints, or set console.publicUrl.',
      );
    }
    if (!isOwnSite(request.headers, request.host)) {
      throw new ConsoleProblem('foreign_site', 'Requests from other sites are not accepted.');
    }
    // Without a session, do not reveal which addresses of the API exist.
    const ofApi = request.is404 && /^\/(?:api|queues)\//.test(request.url);
    const isOpen = config.openOnLoopback === true && isLocal && isLoopbackAddress(request.ip);
    const needs: Needs = isOpen ? 'nothing' : (config.needs ?? (ofApi ? 'view' : 'nothing'));
    const isChange = !reading.has(request.method);
    if (needs !== 'nothing') {
      request.person = await identify(request);
      if (!request.person) {
        throw new ConsoleProblem(
          'unauthenticated',
          request.headers.authorization === undefined
            ? 'Your session has ended, or you have not signed in. Sign in and try again.'
            : 'The token is not valid: it is wrong, has expired or was revoked.',
        );
      }
      if (!isEnough(request.person.role, needs)) {
        throw new ConsoleProblem(
          'forbidden',
          `Your role is ${request.person.role}, which does not allow this. Ask an administrator of the console.`,
        );
      }
    }
    // Bull Board's page cannot send the header. Browsers that send no Sec-Fetch-Site send Origin with changes.
    const isProven =
      request.headers['x-cartwright'] !== undefined ||
      (config.acceptsOrigin === true &&
        (request.headers['sec-fetch-site'] === 'same-origin' || request.headers.origin !== undefined));
    if (isChange && request.person?.via !== 'api' && !isProven) {
      throw new ConsoleProblem(
        'header_missing',
        'Send the header `x-cartwright: 1` with requests that change something.',
      );
    }
  };

  return {
    check,
    /** Whether the person who opened a stream still has the same rights. Does not count as a use of the session. */
    isStillValid: async (request: FastifyRequest): Promise<boolean> => {
      const { sessionId, id, role, accounts } = personOf(request);
      if (sessionId === undefined) return isTokenValid(pool, id.replace('token:', ''));
      const rights = await findRights(pool, sessionId, settings.session);
      return rights?.role === role && String(rights.accounts ?? 'all') === String(accounts);
    },
  };
};
export type Guard = ReturnType<typeof createGuard>;
