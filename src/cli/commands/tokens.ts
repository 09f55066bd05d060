import type { Command } from 'commander';
import { UserError } from '../../errors.ts';
import { addToken, listTokens, revokeToken } from '../../ledger/console/tokens.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseRights, type RightsOptions } from '../choose-rights.ts';
import { openPool, operator } from '../open-pool.ts';
import { showText } from '../output/show-text.ts';
import { drawTable, right, wrapping } from '../output/table.ts';
import { runCommand } from '../run-command.ts';

const day = (time: string | null, none: string): string => time?.slice(0, 10) ?? none;

export const addTokensCommand = (program: Command): void => {
  const tokens = program
    .command('tokens')
    .description('Makes, lists and revokes tokens of the console’s API (docs/api.md).')
    .addHelpText('after', '\nExample:\n  cartwright tokens add nightly-report --role viewer');

  tokens
    .command('add')
    .description('make a token; it is shown only once')
    .argument('<name>', 'what it is for')
    .option('--role <role>', 'viewer, operator or admin', 'viewer')
    .option('--account <name...>', 'only these accounts; default: all')
    .option('--days <number>', 'how long it is valid; default: until it is revoked')
    .action(
      runCommand<RightsOptions & { days?: string }>('task', async (context, [name], options) => {
        const rights = chooseRights(context.config, options);
        const { days } = options;
        if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) {
          throw new UserError('bad_days', `--days must be a whole number from 1 to 9999 (got ${days}).`);
        }
        const { newToken } = await import('../../console/access/secrets.ts');
        const { secret, hash } = newToken();
        const token = await addToken(
          await openPool(context),
          { name: name!, tokenHash: hash, days: days === undefined ? null : Number(days), ...rights },
          operator(),
        );
        context.terminal.answer({ token: { ...token, secret } });
        context.terminal.say(
          `${secret}\nThis is the token ${showText(token.name)}. Store it now: it cannot be shown again.`,
        );
      }),
    );

  tokens
    .command('list')
    .description('list the tokens')
    .action(
      runCommand('task', async (context) => {
        const found = await listTokens(await openPool(context, openLedgerToRead));
        context.terminal.answer({ tokens: found });
        context.terminal.say(
          found.length === 0
            ? 'There are no tokens.'
            : drawTable(
                context.terminal,
                [right('Number'), 'Token', 'Role', wrapping('Accounts'), 'Last used', 'Valid until'],
                found.map((token) => [
                  token.id,
                  showText(token.name),
                  token.role,
                  token.accounts?.join(', ') ?? 'all',
                  day(token.usedAt, 'never'),
                  day(token.endsAt, 'no end'),
                ]),
              ),
        );
      }),
    );

  tokens
    .command('revoke')
    .description('revoke a token')
    .argument('<number>', 'its number in `cartwright tokens list`')
    .action(
      runCommand('task', async (context, [id]) => {
        if (!(await revokeToken(await openPool(context), id!, operator()))) {
          throw new UserError(
            'unknown_token',
            `There is no token ${id}. \`cartwright tokens list\` shows their numbers.`,
          );
        }
        context.terminal.say(`Revoked the token ${id}.`);
      }),
    );
};
