import type { Command } from 'commander';
import type pg from 'pg';
import { UserError } from '../../errors.ts';
import { valuesOf } from '../../intake/layouts/known-values.ts';
import { isOfPerson, whyKept } from '../../intake/layouts/layout-words.ts';
import { applyLayouts } from '../../ledger/apply-layouts.ts';
import { listUnknownFiles } from '../../ledger/console/needs-person.ts';
import { listLayoutsOf, removeLayout } from '../../ledger/layouts.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import { readLayouts, writeLayouts } from '../layout-files.ts';
import { writeNewFile } from '../new-file.ts';
import { openPool, operator } from '../open-pool.ts';
import { drawApplied, drawLayout, drawLayouts, type ShownLayout } from '../output/layouts.ts';
import { count, showText } from '../output/show-text.ts';
import { sayWrapped } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

interface LayoutsOptions {
  account?: string;
  all?: boolean;
  out?: string;
  dryRun?: boolean;
}

const namesOf = ({ config }: CommandContext, { account }: LayoutsOptions): string[] =>
  chooseAccounts(config, account).map(({ name }) => name);

const present = ({ headerKey: _, known, ...layout }: ShownLayout) => ({
  ...layout,
  ...(known ? { values: valuesOf(known) } : {}),
});

/**
 * The layout with this ID or name, and the other versions of its header, latest first.
 *
 * @throws UserError `unknown_layout`, `layout_ambiguous`
 */
const findOne = async (pool: pg.Pool, accounts: readonly string[], named: string) => {
  const all = await listLayoutsOf(pool, accounts, { all: true });
  const current = all.filter(({ endedAt }) => endedAt === undefined);
  const isNamed = ({ name }: ShownLayout) => name.toLowerCase() === named.toLowerCase();
  const byId = all.filter(({ id }) => id === named);
  const found = byId.length > 0 ? byId : current.filter(isNamed);
  const [one] = found;
  if (!one)
    throw new UserError(
      'unknown_layout',
      `There is no layout ${showText(named)}${all.some(isNamed) ? ' that still counts' : ''}. \`cartwright layouts --all\` lists them with their IDs.`,
    );
  if (found.length > 1)
    throw new UserError(
      'layout_ambiguous',
      `Several layouts are called ${showText(named)}: ${found.map(({ id, account }) => `ID ${id} of ${account}`).join(', ')}. Name one by its ID.`,
    );
  const others = all.filter(
    ({ id, account, headerKey }) => id !== one.id && account === one.account && headerKey === one.headerKey,
  );
  return { one, others };
};

const list = async (context: CommandContext, _: string, options: LayoutsOptions) => {
  const accounts = namesOf(context, options);
  const pool = await openPool(context, openLedgerToRead);
  const layouts = await listLayoutsOf(pool, accounts, { all: options.all === true });
  const waiting = await listUnknownFiles(pool, accounts);
  context.terminal.answer({ layouts: layouts.map(present), waiting });
  context.terminal.say(drawLayouts(context.terminal, layouts, waiting));
};

const show = async (context: CommandContext, named: string, options: LayoutsOptions) => {
  const pool = await openPool(context, openLedgerToRead);
  const { one, others } = await findOne(pool, namesOf(context, options), named);
  const earlier = others.filter(({ version }) => version < one.version);
  context.terminal.answer({ layout: present(one), earlier: earlier.map(present) });
  context.terminal.say(drawLayout(context.terminal, one, earlier));
};

const exportAll = async (context: CommandContext, _: string, options: LayoutsOptions) => {
  const { terminal } = context;
  const pool = await openPool(context, openLedgerToRead);
  const layouts = await listLayoutsOf(pool, namesOf(context, options));
  const yaml = writeLayouts(layouts);
  const { out } = options;
  if (out !== undefined) await writeNewFile(out, yaml);
  terminal.answer({ layouts: layouts.length, ...(out === undefined ? { yaml } : { file: out }) });
  terminal.say(out === undefined ? yaml.trimEnd() : `Wrote ${count(layouts.length, 'layout')} into ${out}.`);
};

const apply = async (context: CommandContext, file: string, { dryRun = false }: LayoutsOptions) => {
  const layouts = await readLayouts(file, context.config);
  const pool = await openPool(context, dryRun ? openLedgerToRead : undefined);
  const { applied } = await applyLayouts(pool, layouts, operator(), { dryRun });
  context.terminal.answer({ dryRun, layouts: applied });
  context.terminal.say(
    applied.length === 0
      ? `${file} has no layouts, so nothing was changed.`
      : drawApplied(context.terminal, applied, dryRun),
  );
};

const whatThatMeans = (one: ShownLayout): string => {
  const next = isOfPerson(one)
    ? 'Unless its columns have standard names or the settings of the account say what they mean, the next file with this header waits until somebody says it.'
    : 'The next file with this header waits until somebody says what it means.';
  return `${next} What was read by it stays as it is.`;
};

const remove = async (context: CommandContext, named: string, options: LayoutsOptions) => {
  const pool = await openPool(context);
  const { one } = await findOne(pool, namesOf(context, options), named);
  const why = whyKept(one);
  if (why !== undefined) throw new UserError('not_possible', showText(why));
  const removed = await removeLayout(pool, one.id, operator(), [one.account]);
  if (!removed)
    throw new UserError(
      'not_possible',
      `Version ${one.version} of the layout "${showText(one.name)}" of ${one.account} does not count any more: it was replaced or removed. Nothing was changed.`,
    );
  context.terminal.answer({ removed: present(one) });
  sayWrapped(
    context.terminal,
    `Removed the layout "${showText(one.name)}" of ${one.account}. ${whatThatMeans(one)}`,
    0,
  );
};

/** @param act the action, given the argument if there is one */
const run = (act: (context: CommandContext, given: string, options: LayoutsOptions) => Promise<void>) =>
  runCommand<LayoutsOptions>('task', (context, [given = ''], options) => act(context, given, options));

const accountOption = ['--account <name>', 'only the layouts of this account'] as const;

export const addLayoutsCommand = (program: Command): void => {
  const layouts = program
    .command('layouts')
    .description(
      'Lists the layouts: how the files of an account with one header are read, as somebody agreed. Shows also which files wait because nobody has said yet what they mean. `cartwright map --write` and the console make layouts.',
    )
    .addHelpText(
      'after',
      `
Examples:
  cartwright layouts
  cartwright layouts --account north --all
  cartwright layouts show "Weekly orders" --account north
  cartwright layouts export --out layouts.yaml
  cartwright layouts apply layouts.yaml --dry-run
  cartwright layouts remove 12`,
    );

  // Not the action of `layouts` itself, whose options would apply to all its subcommands.
  layouts
    .command('list', { isDefault: true })
    .summary('list the layouts, and the files that wait (default)')
    .description('Lists the layouts and, one line for each header, the files that wait.')
    .option(...accountOption)
    .option('--all', 'also the versions that no longer count')
    .addHelpText('after', '\nExample:\n  cartwright layouts --account north --all')
    .action(run(list));

  layouts
    .command('show')
    .summary('show all of one layout, with its earlier versions')
    .description('Shows which column holds what, the other settings, and the earlier versions.')
    .argument('<layout>', 'its name, or its ID in `cartwright layouts`')
    .option(...accountOption)
    .addHelpText('after', '\nExample:\n  cartwright layouts show "Weekly orders"')
    .action(run(show));

  layouts
    .command('export')
    .summary('write layouts as YAML')
    .description(
      'Writes the layouts as YAML that can be kept in git, changed, and applied here or to another ledger. An existing file is not overwritten.',
    )
    .option(...accountOption)
    .option('--out <file>', 'file to write (default: standard output)')
    .addHelpText('after', '\nExample:\n  cartwright layouts export --account north > north.yaml')
    .action(run(exportAll));

  layouts
    .command('apply')
    .summary('put the layouts of a file into the ledger')
    .description(
      'Makes the layouts of a YAML file count: a new version where one differs from the ledger, and nothing where it is the same. Layouts that are not in the file stay. Files that wait for one of them are read. If anything in the file is wrong, nothing is changed.',
    )
    .argument('<file>', 'a file as `cartwright layouts export` writes it')
    .option('--dry-run', 'show what would change; save nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  cartwright layouts apply layouts.yaml --dry-run\n  cartwright layouts apply layouts.yaml',
    )
    .action(run(apply));

  layouts
    .command('remove')
    .summary('end a layout: files with its header wait again')
    .description(
      'Ends a layout. What was read by it stays as it is; the next file with its header waits until somebody says what it means. Its versions stay in the ledger.',
    )
    .argument('<layout>', 'its name, or its ID in `cartwright layouts`')
    .option(...accountOption)
    .addHelpText('after', '\nExample:\n  cartwright layouts remove "Weekly orders" --account north')
    .action(run(remove));
};
