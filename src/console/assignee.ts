import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Role } from '../api-contract/access.ts';
import { findUser, listUsers } from '../ledger/console/users.ts';
import { accountsOf, isEnough, personOf } from './person.ts';
import { ConsoleProblem } from './problems.ts';

interface User {
  role: Role;
  accounts: readonly string[] | null;
}

/** Whether a user may act for all these accounts; null: for every account. Pure. */
const mayActFor = ({ role, accounts }: User, needed: readonly string[] | null): boolean =>
  isEnough(role, 'act') && (accounts === null || (needed?.every((one) => accounts.includes(one)) ?? false));

/** The names of possible assignees for an account, or for every account that the request may see. */
export const listAssignees = async (
  pool: pg.Pool,
  request: FastifyRequest,
  account: string | undefined,
): Promise<string[]> => {
  const needed = account === undefined ? accountsOf(request) : [account];
  return (await listUsers(pool)).filter((user) => mayActFor(user, needed)).map(({ name }) => name);
};

/**
 * @param accounts of the assigned objects; empty: any that the request may see
 * @throws ConsoleProblem `invalid`: the action needs a person, and this one may not act for these accounts
 */
export const assertAssignee = async (
  pool: pg.Pool,
  request: FastifyRequest,
  { action, assignee }: { action: string; assignee: string | null | undefined },
  accounts: readonly string[],
): Promise<void> => {
  if (action !== 'assign') return;
  const refuse = (detail: string): never => {
    throw new ConsoleProblem('invalid', detail, { errors: [{ field: 'assignee', detail }] });
  };
  if (assignee === undefined) return refuse('Say who takes care of it; null for nobody in particular.');
  if (assignee === null || assignee === personOf(request).name) return;
  const user = await findUser(pool, assignee);
  if (user?.name !== assignee || !mayActFor(user, accounts.length === 0 ? accountsOf(request) : accounts))
    refuse(`${assignee} is no user who may act for these accounts.`);
};
