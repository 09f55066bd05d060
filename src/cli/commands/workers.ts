import { join, relative } from 'node:path';
import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { ListeningConsole } from '../../console/listen-console.ts';
import { startExchanges } from '../../worker/exchange-files.ts';
import type { Runtime } from '../../worker/open-runtime.ts';
import { startReloads } from '../../worker/reload.ts';
import { type RunningWorker, startWorker } from '../../worker/start-worker.ts';
import { watchFolders } from '../../worker/watch-folders.ts';
import { openReadiness } from '../open-readiness.ts';
import { count } from '../output/show-text.ts';
import { drawTable, wrapping } from '../output/table.ts';
import { sayWrapped, type Terminal } from '../output/terminal.ts';
import { type CommandContext, runCommand } from '../run-command.ts';
import { assertSandbox, playDemo, runSandbox } from '../sandbox.ts';
import { serveUntilStopped } from '../serve-until-stopped.ts';
import { describeConsole, openConsole } from './console.ts';

/** Picks up files, and exchanges them with SFTP servers, until the command ends. */
const watch = async (
  { atEnd, logger }: CommandContext,
  { accounts, queues, ledger, workerId, config }: Runtime,
): Promise<void> => {
  const { enqueue } = queues;
  const folders = await watchFolders(accounts.all, { enqueue, logger });
  atEnd(() => folders.stop());
  const exchanges = startExchanges(accounts.all, {
    pool: ledger.pool,
    ...{ enqueue, logger, workerId, leaseMs: config.worker.leaseMs },
  });
  atEnd(() => exchanges.stop());
};

/** Runs the jobs of the served accounts until the command ends. */
const work = async (
  { atEnd, signals, reloadConfig }: CommandContext,
  runtime: Runtime,
): Promise<RunningWorker> => {
  const worker = await startWorker(runtime);
  atEnd(() => worker.stop());
  const reloads = await startReloads(runtime, reloadConfig);
  atEnd(() => reloads.stop());
  signals.onHangUp(reloads.reload);
  return worker;
};

const serve = (context: CommandContext, runtime: Runtime, worker: RunningWorker): Promise<void> =>
  serveUntilStopped(context, {
    readiness: openReadiness(runtime),
    isAlive: worker.isAlive,
    status: `Working for ${count(runtime.config.accounts.length, 'account')}`,
  });

/** Serves health and metrics until the command ends, if the configuration names a port for them. */
const serveHealth = async ({ atEnd, config, terminal }: CommandContext, runtime: Runtime): Promise<void> => {
  if (config.health.port === undefined) return;
  const { serveHealth: serve } = await import('../open-health.ts');
  const serving = await serve(runtime);
  if (!serving) return;
  atEnd(() => serving.stop());
  terminal.say(`Health and metrics: ${serving.url}/metrics`);
};

/** With more accounts, only problems are listed, because people know where the others are. */
const mostNamed = 12;
const namedProblems = 3;

const summary = ({ accounts, dataFolder }: Config): string => {
  const wrong = accounts.filter(({ problem }) => problem !== undefined);
  const named = wrong.slice(0, namedProblems).map(({ problem }) => problem!.message);
  const others = wrong.length > named.length ? ` And ${count(wrong.length - named.length, 'other')}.` : '';
  const unusable =
    wrong.length === 0 ? '' : ` ${wrong.length} of them cannot order: ${named.join(' ')}${others}`;
  return `${count(accounts.length, 'account')}. Put purchase files into ACCOUNT/inbox below ${dataFolder}/accounts, or into the folder that an account has in the configuration; \`cartwright doctor --account NAME\` shows it.${unusable}`;
};

const watched = (all: Runtime['accounts']['all']): string => {
  const not = all.flatMap(({ folder }) => (folder.kind === 'usable' ? [] : [folder.message]));
  const others = not.length > namedProblems ? ` And ${count(not.length - namedProblems, 'other')}.` : '';
  return `Watching the inboxes of ${count(all.length - not.length, 'account')}.${not.length === 0 ? '' : ` Not watching ${not.length}: ${not.slice(0, namedProblems).join(' ')}${others}`}`;
};

/** The path relative to the current directory, if shorter. */
const nearer = (path: string): string => {
  const here = relative('.', path);
  return here.startsWith('..') || here.length > path.length ? path : here;
};

const showStart = (terminal: Terminal, { config }: Runtime, listening: ListeningConsole): void => {
  terminal.answer({
    dataFolder: config.dataFolder,
    console: listening.url,
    accounts: config.accounts.map(({ name, folder, api, problem }) => ({
      name,
      folder,
      baseUrl: api?.baseUrl,
      trouble: problem?.message,
    })),
  });
  const shown = config.accounts.length > mostNamed ? [] : config.accounts;
  if (shown.length === 0) sayWrapped(terminal, summary(config), 0);
  else
    terminal.say(
      drawTable(
        terminal,
        ['Account', 'Put purchase files into', wrapping('Orders go to')],
        shown.map(({ name, folder, api, problem }) => [
          name,
          nearer(join(folder, 'inbox')),
          api?.baseUrl ??
            (problem?.code === 'no_service'
              ? `not configured: set accounts.${name}.baseUrl`
              : `nowhere: ${problem?.message}`),
        ]),
      ),
    );
  if (config.isSandbox)
    sayWrapped(
      terminal,
      '\nThis is a sandbox: no order is real. Give other commands --sandbox, too, to see it: cartwright status --sandbox',
    );
  terminal.say(`\nPress Ctrl-C to stop.\n${describeConsole(listening)}`);
};

export const addUpCommand = (program: Command): void => {
  program
    .command('up')
    .description(
      'Picks up files from the inboxes, places their orders, fetches order statuses, writes result files and status reports, and serves the operators’ console. Runs until Ctrl-C or SIGTERM. To add workers, run `cartwright work`.',
    )
    .option(
      '--demo',
      'with --sandbox: sample files come in, and a day passes in two minutes, so that orders ship while you look',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  cartwright up --config /etc/cartwright.yaml\n  cartwright up --sandbox --demo',
    )
    .action(
      runCommand<{ demo?: boolean }>('service', async (context, _args, options) => {
        assertSandbox(context, options);
        if (context.terminal.live) context.terminal.note('Starting …');
        let opened: Runtime | undefined;
        if (context.config.isSandbox) await runSandbox(context, () => opened?.ledger.pool);
        const runtime = await context.open({ mayCreateFolder: () => true });
        opened = runtime;
        const listening = await openConsole(context, runtime);
        // Before jobs run, because they would slow down opening hundreds of folders. Files found meanwhile wait for the jobs.
        await watch(context, runtime);
        const worker = await work(context, runtime);
        if (options.demo) await playDemo(context);
        showStart(context.terminal, runtime, listening);
        await serve(context, runtime, worker);
      }),
    );
};

export const addWatchCommand = (program: Command): void => {
  program
    .command('watch')
    .description(
      'Does everything that needs the accounts’ folders: watches the inboxes, reads files, writes result files and status reports. Run it on the machine that has the folders; `cartwright work` places the orders, on this machine or on others. Runs until Ctrl-C or SIGTERM.',
    )
    .addHelpText('after', '\nExample:\n  cartwright watch')
    .action(
      runCommand('service', async (context) => {
        const runtime = await context.open({ places: false, mayCreateFolder: () => true });
        await serveHealth(context, runtime);
        // Before jobs run, because they would slow down opening hundreds of folders. Files found meanwhile wait for the jobs.
        await watch(context, runtime);
        const worker = await work(context, runtime);
        const { all } = runtime.accounts;
        for (const { account, folder } of all.length > mostNamed ? [] : all)
          context.terminal.say(
            folder.kind === 'usable' ? `Watching ${account.folder}/inbox` : `Not watching: ${folder.message}`,
          );
        if (all.length > mostNamed) sayWrapped(context.terminal, watched(all), 0);
        await serve(context, runtime, worker);
      }),
    );
};

export const addWorkCommand = (program: Command): void => {
  program
    .command('work')
    .description(
      'Places the orders of imported files and fetches order statuses; needs no folder. Where an account’s folder is on this machine, it also reads its files and writes its result files and reports. Any number of workers can run, on any number of machines that share one DATABASE_URL and REDIS_URL. Runs until Ctrl-C or SIGTERM, then finishes running jobs.',
    )
    .addHelpText('after', '\nExample:\n  cartwright work')
    .action(
      runCommand('service', async (context) => {
        const runtime = await context.open();
        await serveHealth(context, runtime);
        const worker = await work(context, runtime);
        context.terminal.say('Working. Press Ctrl-C to stop.');
        await serve(context, runtime, worker);
      }),
    );
};
