import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import {
  addUser,
  changeUser,
  findUser,
  listUsers,
  presentUser,
  removeUser,
} from '../../ledger/console/users.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseRights, type RightsOptions } from '../choose-rights.ts';
import { confirm } from '../confirm.ts';
import { openPool, operator } from '../open-pool.ts';
import { showText, showUtc } from '../output/show-text.ts';
import { drawTable, wrapping } from '../output/table.ts';
import { readPassword } from '../read-password.ts';
import { runCommand } from '../run-command.ts';

const unknown = (name: string): UserError =>
  new UserError('unknown_user', `There is no user ${name}. \`cartwright users list\` shows them.`);

const hash = async (password: string): Promise<string> => {
  const { hashPassword } = await import('../../console/access/secrets.ts');
  return hashPassword(password);
};

export const addUsersCommand = (program: Command): void => {
  const users = program
    .command('users')
    .description(
      'Adds, lists and removes users of the console, and sets their passwords. A password is asked for, or read from standard input if that is not a terminal; it must have at least 12 characters.',
    )
    .addHelpText('after', '\nExample:\n  cartwright users add ada --role admin');

  users
    .command('add')
    .description('add a user')
    .argument('<name>', 'user name')
    .option('--role <role>', 'viewer, operator or admin', 'viewer')
    .option('--account <name...>', 'only these accounts; default: all')
    .action(
      runCommand<RightsOptions>('task', async (context, [name], options) => {
        const rights = chooseRights(context.config, options);
        const { isVisible } = await import('../../api-contract/names.ts');
        if (!isVisible(name!))
          throw new UserError(
            'bad_name',
            'The name has control characters or other characters that cannot be seen. Type it again.',
          );
        const pool = await openPool(context);
        const password = await hash(await readPassword(context.terminal, name!));
        const added = await addUser(pool, { name: name!, password, ...rights }, operator());
        if (!added) throw new UserError('user_exists', `There is already a user ${name}.`);
        context.terminal.answer({ user: presentUser(added) });
        context.terminal.say(`Added the ${added.role} ${showText(added.name)}.`);
      }),
    );

  users
    .command('list')
    .description('list the users')
    .action(
      runCommand('task', async (context) => {
        const found = await listUsers(await openPool(context, openLedgerToRead));
        context.terminal.answer({ users: found.map(presentUser) });
        context.terminal.say(
          found.length === 0
            ? 'The console has no users yet.'
            : drawTable(
                context.terminal,
                ['User', 'Role', wrapping('Accounts'), 'Last sign-in (UTC)'],
                found.map(({ name, role, accounts, signedInAt }) => [
                  showText(name),
                  role,
                  accounts?.join(', ') ?? 'all',
                  signedInAt ? showUtc(new Date(signedInAt)) : 'never',
                ]),
              ),
        );
      }),
    );

  users
    .command('reset-password')
    .description('set a new password for a user and end the user’s sessions')
    .argument('<name>', 'user name')
    .action(
      runCommand('task', async (context, [name]) => {
        const pool = await openPool(context);
        const user = await findUser(pool, name!);
        if (!user) throw unknown(name!);
        const password = await hash(await readPassword(context.terminal, user.name));
        await changeUser(pool, user.id, { password }, operator());
        context.terminal.say(
          `Set a new password for ${showText(user.name)} and ended all sessions of this user.`,
        );
      }),
    );

  users
    .command('remove')
    .description('remove a user and end the user’s sessions')
    .argument('<name>', 'user name')
    .option('-y, --yes', 'do not ask for confirmation')
    .action(
      runCommand<{ yes?: boolean }>('task', async (context, [name], { yes }) => {
        const pool = await openPool(context);
        const user = await findUser(pool, name!);
        if (!user) throw unknown(name!);
        if (!(await confirm(context.terminal, `remove the user ${showText(user.name)}`, yes)))
          return 'notAllDone';
        const removed = await removeUser(pool, user.id, operator());
        if (removed.kind === 'last_admin') {
          throw new UserError('last_admin', `${user.name} is the last admin. Add another admin first.`);
        }
        context.terminal.say(`Removed the user ${showText(user.name)}.`);
        return 'fine';
      }),
    );
};
