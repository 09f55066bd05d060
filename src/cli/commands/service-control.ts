import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { parse as parseYaml } from 'yaml';
import { duration } from '../../config/duration.ts';
import { decodeUtf8 } from '../../contract/text.ts';
import { messageOf, UserError } from '../../errors.ts';
import type { ClockState } from '../../service/clock.ts';
import type { JournalEntry } from '../../service/control/journal.ts';
import type { ResetCounts } from '../../service/control/reset.ts';
import type { Seeded } from '../../service/control/seeds.ts';
import { type AdminOptions, callAdmin } from '../call-admin.ts';
import { badOption, readNumber } from '../option-text.ts';
import { count } from '../output/show-text.ts';
import { drawTable } from '../output/table.ts';
import { type CommandContext, runCommand } from '../run-command.ts';

/** The options, by the service's field names. */
const optionOf = {
  dealer: '--dealer',
  poNumber: '--po',
  advanceMs: '--advance',
  speed: '--speed',
  set: '--set',
  endpoint: '--endpoint',
  since: '--since',
  until: '--until',
  limit: '--limit',
};

interface Scope extends AdminOptions {
  dealer?: string;
  po?: string;
}

const reset = async ({ config, terminal }: CommandContext, options: Scope) => {
  const scope = { dealer: options.dealer, poNumber: options.po };
  const counts = (await callAdmin(config, options, {
    method: 'POST',
    path: '/reset',
    body: scope,
    optionOf,
  })) as ResetCounts;
  terminal.answer(counts);
  terminal.say(`Removed ${count(counts.carts, 'cart')} and ${count(counts.orders, 'order')}.`);
};

interface ClockOptions extends AdminOptions {
  freeze?: boolean;
  run?: boolean;
  set?: string;
  advance?: string;
  speed?: string;
}

const readDuration = (text: string): number => {
  const read = duration.safeParse(text);
  if (read.success) return read.data;
  throw badOption(`--advance ${text}: ${read.error.issues[0]!.message}`);
};

const clock = async ({ config, terminal }: CommandContext, options: ClockOptions) => {
  if (options.freeze && options.run) throw badOption('Give --freeze or --run, not both.');
  const change = {
    ...(options.freeze ? { freeze: true } : {}),
    ...(options.run ? { freeze: false } : {}),
    ...(options.set === undefined ? {} : { set: options.set }),
    ...(options.advance === undefined ? {} : { advanceMs: readDuration(options.advance) }),
    ...(options.speed === undefined ? {} : { speed: readNumber(options.speed) }),
  };
  const changes = Object.keys(change).length > 0;
  const state = (await callAdmin(
    config,
    options,
    changes ? { method: 'POST', path: '/clock', body: change, optionOf } : { method: 'GET', path: '/clock' },
  )) as ClockState;
  terminal.answer(state);
  const pace = state.speed === 0 ? 'stopped' : `at ${state.speed} times the speed of real time`;
  terminal.say(`The clock shows ${state.now}, ${pace}.`);
};

const readSeeds = async (file: string): Promise<unknown> => {
  try {
    const text = decodeUtf8(await readFile(file));
    // JSON is YAML, too.
    if (typeof text === 'string') return parseYaml(text);
    throw new Error(`line ${text.line}, column ${text.column} is not UTF-8. Save the file as UTF-8.`);
  } catch (cause) {
    const why = messageOf(cause).split('\n')[0];
    throw new UserError('file_unreadable', `Cannot read the seeds in ${file}: ${why}`, { cause });
  }
};

const seed = async ({ config, terminal }: CommandContext, file: string, options: AdminOptions) => {
  const seeds = await readSeeds(file);
  const made = (await callAdmin(config, options, { method: 'POST', path: '/seed', body: seeds })) as Seeded[];
  terminal.answer(made);
  for (const { po_number, cart_number, order_numbers } of made) {
    const what =
      order_numbers.length === 0
        ? `cart ${cart_number}`
        : `${count(order_numbers.length, 'order')} ${order_numbers.join(', ')}`;
    terminal.say(`${po_number}: ${what}`);
  }
};

interface JournalOptions extends Scope {
  endpoint?: string;
  since?: string;
  until?: string;
  limit?: string;
}

const journal = async ({ config, terminal }: CommandContext, options: JournalOptions) => {
  const { dealer, po: poNumber, endpoint, since, until, limit } = options;
  const given = Object.entries({ dealer, poNumber, endpoint, since, until, limit });
  const query = new URLSearchParams(given.filter((pair): pair is [string, string] => pair[1] !== undefined));
  const entries = (await callAdmin(config, options, {
    method: 'GET',
    path: `/journal?${query}`,
    optionOf,
  })) as JournalEntry[];
  terminal.answer(entries);
  if (entries.length === 0) terminal.say('No request matches.');
  else {
    const rows = entries.map((entry) => [
      entry.at,
      entry.dealer ?? '',
      entry.method,
      entry.path,
      entry.fault === null ? String(entry.status ?? 'none') : `${entry.status ?? 'none'} (${entry.fault})`,
    ]);
    terminal.say(drawTable(terminal, ['Time (UTC)', 'Dealer', 'Method', 'Path', 'Status'], rows));
  }
};

/** Adds the options common to all these commands. */
const withTarget = (command: Command, examples: string): Command =>
  command
    .option(
      '--url <address>',
      'address of the running service (default: http://127.0.0.1:8480, or host and port of the configuration)',
    )
    .option('--admin-token-env <name>', 'environment variable that holds the admin token')
    // The options of `service` would fill the screen and do not apply here.
    .configureHelp({ showGlobalOptions: false })
    .addHelpText('after', `\nExamples:\n${examples}`);

/** `cartwright service reset`, `clock`, `seed` and `journal`: control of a running service. */
export const addServiceControl = (service: Command): void => {
  withTarget(
    service
      .command('reset')
      .summary('reset a running service')
      .description(
        'Removes carts, orders, audit rows and journal entries of a running service; without options also sets clock, fault rules and seeds as configured.',
      )
      .option('--dealer <name>', 'remove only what belongs to this dealer')
      .option('--po <number>', 'remove only what belongs to this PO number'),
    '  cartwright service reset\n  cartwright service reset --dealer north --po PO-1001',
  ).action(runCommand<Scope>('task', (context, _args, options) => reset(context, options)));
  withTarget(
    service
      .command('clock')
      .summary('show or change the clock of a running service')
      .description('Shows the clock that statuses and dates follow, and changes it if an option is given.')
      .option('--freeze', 'stop it')
      .option('--run', 'let it run as configured')
      .option('--set <time>', 'set it, such as 2026-01-31T08:00:00Z; `real` is the real time')
      .option('--advance <duration>', 'step it forward, such as 3d or 90m')
      .option('--speed <number>', 'how many times faster than real time it runs'),
    '  cartwright service clock --freeze --set 2026-01-31T08:00:00Z\n  cartwright service clock --advance 3d',
  ).action(runCommand<ClockOptions>('task', (context, _args, options) => clock(context, options)));
  withTarget(
    service
      .command('seed')
      .summary('create carts and orders in a running service')
      .description(
        'Creates the carts and orders that a file describes, in YAML or JSON: a list of seeds (docs/service.md, Control for tests).',
      )
      .argument('<file>', 'file with the seeds'),
    '  cartwright service seed seeds.yaml',
  ).action(runCommand<AdminOptions>('task', (context, [file], options) => seed(context, file!, options)));
  withTarget(
    service
      .command('journal')
      .summary('show the requests that a running service received')
      .description('Lists the latest requests, oldest first. --json shows their bodies, too.')
      .option('--dealer <name>', 'only requests of this dealer')
      .option('--po <number>', 'only requests for this PO number')
      .option('--endpoint <name>', 'only calls of this endpoint, such as createCart')
      .option(
        '--since <time>',
        'only those from this time on, such as 2026-01-31T08:00:00Z (real time, also if the clock of the service shows another)',
      )
      .option('--until <time>', 'only those up to this time')
      .option('--limit <number>', 'only the latest so many'),
    '  cartwright service journal --po PO-1001\n  cartwright --json service journal --endpoint submitOrder',
  ).action(runCommand<JournalOptions>('task', (context, _args, options) => journal(context, options)));
};
