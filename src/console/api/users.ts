import { byId, changeUserBody, done, newUserBody, user, userList } from '../../api-contract/access.ts';
import { isNameOf } from '../../api-contract/names.ts';
import {
  addUser,
  type ConsoleUser,
  changeUser,
  findUserById,
  listUsers,
  presentUser,
  removeUser,
  type UserChange,
} from '../../ledger/console/users.ts';
import { hashPassword } from '../access/secrets.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { refuseUnknownAccounts } from '../known-accounts.ts';
import { actorOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { admin, route } = routesOf('Users');

const changed = (change: UserChange): ConsoleUser => {
  if (change.kind === 'done') return change.user;
  if (change.kind === 'unknown') {
    throw new ConsoleProblem('not_found', 'There is no such user; somebody may have removed it.');
  }
  throw new ConsoleProblem(
    'not_possible',
    change.kind === 'last_admin'
      ? 'This is the last admin. Make another user an admin first.'
      : 'An admin has all accounts. Make the user an operator or a viewer to name accounts.',
  );
};

/** Adds the management of users. */
export const addUserRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool } = deps;
  app.get('/users', admin('All users', userList), async () => ({
    items: (await listUsers(pool)).map(presentUser),
  }));

  app.post(
    '/users',
    route('admin', 'Add a user', { body: newUserBody, response: { 201: user } }),
    async (request, reply) => {
      const { name, password, role, accounts } = request.body;
      await refuseUnknownAccounts(deps, accounts);
      const added = await addUser(
        pool,
        {
          name,
          role,
          accounts: accounts === 'all' ? null : accounts,
          password: await hashPassword(password),
        },
        actorOf(request),
      );
      if (!added) throw new ConsoleProblem('conflict', `There is already a user ${name}.`);
      return reply.code(201).send(presentUser(added));
    },
  );

  app.patch(
    '/users/:id',
    admin('Change a user’s role, accounts or password', user, {
      description: 'A new password ends the user’s sessions.',
      params: byId,
      body: changeUserBody,
    }),
    async (request) => {
      const { role, accounts, password } = request.body;
      await refuseUnknownAccounts(deps, accounts);
      const user = password === undefined ? undefined : await findUserById(pool, request.params.id);
      if (user && isNameOf(password!, user.name))
        throw new ConsoleProblem('invalid', 'password must not be little more than the user name.');
      const change = await changeUser(
        pool,
        request.params.id,
        {
          ...(role === undefined ? {} : { role }),
          ...(accounts === undefined ? {} : { accounts: accounts === 'all' ? null : accounts }),
          ...(password === undefined ? {} : { password: await hashPassword(password) }),
        },
        actorOf(request),
      );
      return presentUser(changed(change));
    },
  );

  app.delete(
    '/users/:id',
    admin('Remove a user', done, {
      description: 'The user’s sessions end. What the user did stays in the list of activity.',
      params: byId,
    }),
    async (request) => {
      changed(await removeUser(pool, request.params.id, actorOf(request)));
      return { done: true as const };
    },
  );
};
