import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { FileRefused, UserError } from '../../errors.ts';
import { sayField } from '../../intake/columns/field-words.ts';
import type { FieldName } from '../../intake/columns/fields.ts';
import { proposeMap } from '../../intake/columns/propose-map.ts';
import type { Proposed } from '../../intake/columns/proposed-map.ts';
import { askColumns } from '../ask-columns.ts';
import { canAsk, isYes, openQuestions } from '../ask-person.ts';
import { assertReadable } from '../assert-readable.ts';
import { chooseAccount } from '../choose-account.ts';
import { setInAccount } from '../edit-configuration.ts';
import { exitCodes } from '../exit-codes.ts';
import { drawProposal, howToMap } from '../output/proposal.ts';
import { asTree, placeMapping } from '../place-mapping.ts';
import { runCommand } from '../run-command.ts';

interface MapOptions {
  account?: string;
  write?: boolean;
  yes?: boolean;
}

/** The fields without which nothing can be ordered. */
const vital: ReadonlySet<FieldName | null> = new Set(['po_number', 'item_sku', 'item_id', 'quantity']);

const doubtful = ({ columns }: Proposed) =>
  columns
    .filter(({ field, certain }) => vital.has(field) && !certain)
    .map(({ header, field }) => ({ header, field }));

/** The map without what a person would have to confirm. */
const certainMap = ({ columns, map }: Proposed): Proposed['map'] => {
  const unsure = new Set(columns.filter(({ certain }) => !certain).map(({ header }) => header));
  return Object.fromEntries(Object.entries(map).filter(([header]) => !unsure.has(header)));
};

/** @param asks a person sees the lines and confirms them, and so where the PO number is */
const assertCertain = (proposed: Proposed, account: string, asks: boolean): void => {
  const unsure = doubtful(proposed);
  const unsureSource = proposed.poSource?.certain === false && !asks ? [proposed.poSource] : [];
  if (proposed.missing.length === 0 && unsure.length === 0 && unsureSource.length === 0) return;
  const reasons = [
    ...unsure.map(({ header, field }) => `"${header}" is only probably the ${sayField(field!)}`),
    ...unsureSource.map(({ why }) => `the PO number is only probably ${why}`),
    ...proposed.missing.map(
      (field) => `no column was found for the ${sayField(field)} (${proposed.doubts[field]})`,
    ),
  ];
  const [example] = unsure;
  const [absent] = proposed.missing;
  const setting = example
    ? howToMap(example.header, example.field!, account)
    : absent
      ? howToMap(proposed.candidates[absent]?.[0], absent, account)
      : `set accounts.${account}.intake.poNumberFrom: ${JSON.stringify(proposed.poSource?.from)}`;
  const ask = asks
    ? 'Run the command again and choose a column'
    : 'Run the command on a terminal, without --yes, to be asked';
  throw new UserError(
    'mapping_uncertain',
    `Nothing was written, because ${reasons.join(', and ')}. ${ask}, or ${setting}.`,
  );
};

/** `cartwright map`. */
export const addMapCommand = (program: Command): void => {
  program
    .command('map')
    .summary('propose a column mapping for a purchase file')
    .description(
      'Proposes a field for each column, based on headers and values together, and shows the first five lines as they would be ordered beside your own cells. With --write the settings are written into the configuration file; comments and other settings are kept. On a terminal you are asked about each column that is not certain; nothing is written while a PO number, an item or a quantity is missing or uncertain.',
    )
    .argument('<file>', 'a purchase file')
    .option('--account <name>', 'account that the file belongs to')
    .option('--write', 'write the mapping into the configuration file')
    .option('--yes', 'with --write: ask nothing, and take only what is certain')
    .addHelpText(
      'after',
      `
Examples:
  cartwright map export.csv
  cartwright map export.csv --account north --write`,
    )
    .action(
      runCommand<MapOptions>('task', async (context, [file], options) => {
        const { config, terminal } = context;
        const account = chooseAccount(config, options.account);
        await assertReadable(file!);
        const propose = async (answers: Record<string, FieldName | 'ignore'>): Promise<Proposed> => {
          const proposed = await proposeMap({
            path: resolve(file!),
            fileName: basename(file!),
            options: { ...account.intake, columns: { ...account.intake.columns, ...answers } },
            codeLists: account.codeLists,
          });
          if (proposed.kind === 'refused') throw new FileRefused(proposed.code, proposed.message);
          return proposed;
        };
        let proposed = await propose({});
        const asks = options.write === true && options.yes !== true && canAsk(terminal);
        const questions = asks ? openQuestions() : undefined;
        context.atEnd(() => questions?.close());
        let answers: Record<string, FieldName | 'ignore'> = {};
        const draw = () => terminal.say(drawProposal(terminal, proposed, account.name));
        draw();
        if (questions && (proposed.missing.length > 0 || proposed.columns.some(({ certain }) => !certain))) {
          answers = await askColumns(questions.ask, terminal, proposed);
          proposed = await propose(answers);
          draw();
        }
        if (options.write) assertCertain(proposed, account.name, asks);
        const map = { ...answers, ...(options.write && !asks ? certainMap(proposed) : proposed.map) };
        const { layout, sections } = placeMapping(account.intake, map, proposed);
        const clear = sections.length === 0;
        const write = async () => {
          let path: string | undefined;
          for (const { below, values } of sections)
            path = await setInAccount(config.file, account.name, below, values);
          return path;
        };
        if (layout !== undefined)
          terminal.say(
            terminal.wrap(
              `This kind of file gets a layout of its own, "${layout}", so that other files are read as before.`,
            ),
          );
        const agreed =
          options.write === true &&
          !clear &&
          (!questions ||
            isYes(await questions.ask(`Write this into ${config.file ?? 'cartwright.yaml'}? [y/N] `)));
        const written = agreed ? await write() : undefined;
        terminal.answer({ ...proposed, map, ...(layout === undefined ? {} : { layout }), written });
        if (written !== undefined) terminal.say(`Wrote the mapping into ${written}.`);
        else if (clear && proposed.missing.length === 0)
          terminal.say('The headers are clear: no column mapping is needed.');
        else if (options.write) terminal.say('Nothing was written.');
        else if (!clear) {
          terminal.say('Add this to the configuration, or run the command again with --write:\n');
          terminal.say(stringify({ accounts: { [account.name]: asTree(sections) } }));
        }
        return proposed.missing.length === 0 &&
          doubtful(proposed).length === 0 &&
          (proposed.poSource?.certain ?? true)
          ? exitCodes.fine.code
          : exitCodes.notAllDone.code;
      }),
    );
};
