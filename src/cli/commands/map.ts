import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { FileRefused } from '../../errors.ts';
import { proposeMap } from '../../intake/propose-map.ts';
import { assertReadable } from '../assert-readable.ts';
import { chooseAccount } from '../choose-account.ts';
import { exitCodes } from '../exit-codes.ts';
import { drawProposal } from '../output/proposal.ts';
import { runCommand } from '../run-command.ts';
import { writeColumnMap } from '../write-column-map.ts';

/** `cartwright map`. */
export const addMapCommand = (program: Command): void => {
  program
    .command('map')
    .summary('propose a column map for a dealer’s file')
    .description(
      'Looks at headers and values, proposes which column holds what, and shows five rows as the service would receive them. With --write the map goes into the configuration file; nothing else of it changes.',
    )
    .argument('<file>', 'a purchase file')
    .option('--account <name>', 'whose files look like this')
    .option('--write', 'write the map into the configuration file')
    .addHelpText(
      'after',
      `
Examples:
  cartwright map export.csv
  cartwright map export.csv --account north --write && cartwright import --dry-run export.csv --account north`,
    )
    .action(
      runCommand<{ account?: string; write?: boolean }>('task', async (context, [file], options) => {
        const { config, terminal } = context;
        const account = chooseAccount(config, options.account);
        await assertReadable(file!);
        const proposed = await proposeMap({
          path: resolve(file!),
          fileName: basename(file!),
          options: account.intake,
          codeLists: account.codeLists,
        });
        if (proposed.kind === 'refused') throw new FileRefused(proposed.code, proposed.message);
        const written =
          options.write && Object.keys(proposed.map).length > 0
            ? await writeColumnMap(config.file, account.name, proposed.map)
            : undefined;
        terminal.answer({ ...proposed, written });
        terminal.say(drawProposal(terminal, proposed));
        if (Object.keys(proposed.map).length === 0) {
          terminal.say('Its headers say everything: no column map is needed.');
        } else if (written === undefined) {
          terminal.say('For the configuration (--write puts it there):\n');
          terminal.say(stringify({ accounts: { [account.name]: { intake: { columns: proposed.map } } } }));
        } else terminal.say(`Written into ${written}.`);
        return proposed.missing.length === 0 ? exitCodes.fine.code : exitCodes.notAllDone.code;
      }),
    );
};
