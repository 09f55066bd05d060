import type { Command } from 'commander';
import { adoptFolder, type UsedFolder } from '../../worker/use-folder.ts';
import { chooseAccount } from '../choose-account.ts';
import { count, firstFew, showFileName } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

const shown = 10;

const listFiles = (imports: readonly { fileName: string; importId: string }[]): string =>
  firstFew(
    imports.map(({ fileName, importId }) => `${showFileName(fileName)} (import ${importId})`),
    shown,
  );

const describe = ({ account, folder, takenOver, givenUp, waiting }: UsedFolder): string[] => {
  const unread = waiting.filter(({ state }) => state === 'taken' || state === 'waiting');
  const results = waiting.filter(({ state }) => state !== 'taken' && state !== 'waiting');
  return [
    `The account ${account} uses ${folder} on this machine from now on.`,
    ...(takenOver.length > 0
      ? [`Continued here, because their copies are in files/: ${listFiles(takenOver)}.`]
      : []),
    ...(givenUp.length > 0
      ? [
          `Given up, nothing in them was ordered: ${listFiles(givenUp)}. Send the same ${givenUp.length === 1 ? 'file' : 'files'} again to order them.`,
        ]
      : []),
    ...(unread.length > 0
      ? [
          `${count(unread.length, 'file')} picked up in another folder and not read: ${listFiles(unread)}. To continue them, copy files/ and working/ of that folder into this one and run this command again. To give them up, add --give-up.`,
        ]
      : []),
    ...(results.length > 0
      ? [
          `${count(results.length, 'result file')} cannot be written, because the dealer's rows are in another folder: ${listFiles(results)}. Their POs are placed as usual; \`cartwright status PO\` shows them. Copy files/ of that folder into this one and run this command again.`,
        ]
      : []),
  ];
};

export const addUseFolderCommand = (program: Command): void => {
  program
    .command('use-folder')
    .description(
      'Tells the ledger that an account’s folder is now the one on this machine, after it was moved, restored, or lost with its machine. Files that another machine picked up are continued if their copies are in this folder, or given up.',
    )
    .option('--account <name>', 'the account; required if there are several')
    .option('--give-up', 'give up files that were picked up in another folder and not read')
    .addHelpText(
      'after',
      `
Examples:
  cartwright use-folder --account north            its folder is here now
  cartwright use-folder --account north --give-up  files elsewhere are lost`,
    )
    .action(
      runCommand<{ account?: string; giveUp?: boolean }>('task', async (context, _args, options) => {
        const { config, terminal } = context;
        const account = chooseAccount(config, options.account);
        const runtime = await context.open();
        const used = await adoptFolder(runtime, account, { giveUp: options.giveUp === true });
        terminal.answer(used);
        for (const line of describe(used)) sayWrapped(terminal, line);
        return used.waiting.length > 0 ? 'notAllDone' : 'fine';
      }),
    );
};
