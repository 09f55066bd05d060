import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { FileRefused } from '../../errors.ts';
import { proposeMap } from '../../intake/columns/propose-map.ts';
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
    .summary('propose a column mapping for a purchase file')
    .description(
      'Proposes a field for each column, based on headers and values, and shows five rows as the service would receive them. With --write the mapping is written into the configuration file; comments and other settings are kept.',
    )
    .argument('<file>', 'a purchase file')
    .option('--account <name>', 'account that the file belongs to')
    .option('--write', 'write the mapping into the configuration file')
    .addHelpText(
      'after',
      `
Examples:
  cartwright map export.csv
  cartwright map export.csv --account north --write`,
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
        terminal.say(drawProposal(terminal, proposed, account.name));
        if (Object.keys(proposed.map).length === 0) {
          terminal.say('The headers are clear: no column mapping is needed.');
        } else if (written === undefined) {
          terminal.say('Add this to the configuration, or run the command again with --write:\n');
          terminal.say(stringify({ accounts: { [account.name]: { intake: { columns: proposed.map } } } }));
        } else terminal.say(`Wrote the mapping into ${written}.`);
        return proposed.missing.length === 0 ? exitCodes.fine.code : exitCodes.notAllDone.code;
      }),
    );
};
