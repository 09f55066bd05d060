import type { FastifyRequest } from 'fastify';
import { type Role, role as roleSchema } from '../api-contract/access.ts';
import type { Actor } from '../ledger/console/activity.ts';
import { ConsoleProblem } from './problems.ts';

/** Who makes a request: a signed-in user, or a program with a token. */
export interface Person {
  /** The id of the user; `token:` and its id for a token. */
  id: string;
  /** The displayed name, also in the activity list. */
  name: string;
  role: Role;
  /** The accounts whose objects exist for this person. */
  accounts: 'all' | readonly string[];
  via: 'console' | 'api';
  /** The session of a signed-in user. */
  sessionId: string | undefined;
}

/** The rights that a route needs; `nothing` is for sign-in and for files without data. */
export type Needs = 'nothing' | 'view' | 'act' | 'admin';

const order = roleSchema.options;
const roleFor: Record<Exclude<Needs, 'nothing'>, Role> = { view: 'viewer', act: 'operator', admin: 'admin' };

/** Whether a role has the rights that a route needs. */
export const isEnough = (role: Role, needs: Needs): boolean =>
  needs === 'nothing' || order.indexOf(role) >= order.indexOf(roleFor[needs]);

/**
 * The person who makes the request.
 * @throws ConsoleProblem `unauthenticated`; only in routes that need nothing
 */
export const personOf = (request: FastifyRequest): Person => {
  if (!request.person) throw new ConsoleProblem('unauthenticated');
  return request.person;
};

/** The accounts that the request may see, as a parameter of SQL: null is all of them. */
export const accountsOf = (request: FastifyRequest): string[] | null => {
  const { accounts } = personOf(request);
  return accounts === 'all' ? null : [...accounts];
};

/**
 * Whether the request may see this account. Answer 404 for objects of other accounts.
 * @public
 */
export const maySee = (request: FastifyRequest, account: string): boolean => {
  const { accounts } = personOf(request);
  return accounts === 'all' || accounts.includes(account);
};

/** The person as recorded in the ledger with their actions. */
export const actorOf = (request: FastifyRequest): Actor => {
  const { name, via } = personOf(request);
  return { who: name, via };
};
