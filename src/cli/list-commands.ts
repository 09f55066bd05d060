import type { Command } from 'commander';
import { actionCommands } from './action-commands.ts';

interface Module {
  /** What the help of all commands says of each: its arguments, and what it is for. */
  commands: Record<string, readonly [args: string, summary: string]>;
  load(): Promise<(program: Command) => void>;
}

const operatorCommands = Object.fromEntries(
  actionCommands.map(({ name, summary }) => [name, ['[options] [po...]', summary]] as const),
);

/** Every command, in the order of the help and below its titles, with the module that adds it. */
export const groups: { title: string; modules: Module[] }[] = [
  {
    title: 'Try it, set it up and run it:',
    modules: [
      {
        commands: { demo: ['[options]', 'try it out: sample files become orders at a sandbox'] },
        load: async () => (await import('./commands/demo.ts')).addDemoCommand,
      },
      {
        commands: { init: ['[options]', 'write a first configuration, asking what it needs'] },
        load: async () => (await import('./commands/init.ts')).addInitCommand,
      },
      {
        commands: { up: ['[options]', 'watch inboxes, place orders, poll and report, all in one process'] },
        load: async () => (await import('./commands/workers.ts')).addUpCommand,
      },
      {
        commands: { doctor: ['[options]', 'check the installation and say what to do about each problem'] },
        load: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
      },
    ],
  },
  {
    title: 'See what is going on:',
    modules: [
      {
        commands: { status: ['[options] [po]', 'show accounts, imports and workers, or one PO'] },
        load: async () => (await import('./commands/status.ts')).addStatusCommand,
      },
      {
        commands: {
          orders: [
            '[options] [number]',
            'list orders: has it shipped, what is on back-order, what did it cost',
          ],
        },
        load: async () => (await import('./commands/orders.ts')).addOrdersCommand,
      },
      {
        commands: {
          statistics: [
            '[options]',
            'show how it is going: orders, pieces, money, shipments, holds by day, week or month',
          ],
        },
        load: async () => (await import('./commands/statistics.ts')).addStatisticsCommand,
      },
      {
        commands: { report: ['[options]', 'write status reports now'] },
        load: async () => (await import('./commands/report.ts')).addReportCommand,
      },
      {
        commands: { poll: ['[options]', 'fetch order statuses now'] },
        load: async () => (await import('./commands/poll.ts')).addPollCommand,
      },
      {
        commands: { schedule: ['[options]', 'list scheduled tasks, or run one now'] },
        load: async () => (await import('./commands/schedule.ts')).addScheduleCommand,
      },
    ],
  },
  {
    title: 'Purchase files:',
    modules: [
      {
        commands: { import: ['[options] <files...>', 'import purchase files'] },
        load: async () => (await import('./commands/import.ts')).addImportCommand,
      },
      {
        commands: { map: ['[options] [file]', 'propose what the columns of a purchase file mean'] },
        load: async () => (await import('./commands/map.ts')).addMapCommand,
      },
      {
        commands: { layouts: ['', 'list, show, export, apply and remove layouts'] },
        load: async () => (await import('./commands/layouts.ts')).addLayoutsCommand,
      },
      {
        commands: {
          answer: [
            '[options] [id] [answer] [number]',
            'list questions about values that are new, or answer one',
          ],
        },
        load: async () => (await import('./commands/answer.ts')).addAnswerCommand,
      },
      {
        commands: { template: ['[options]', 'write a template for purchase files'] },
        load: async () => (await import('./commands/template.ts')).addTemplateCommand,
      },
    ],
  },
  {
    title: 'Decide about purchase orders:',
    modules: [
      {
        commands: operatorCommands,
        load: async () => (await import('./commands/operator-actions.ts')).addOperatorCommands,
      },
    ],
  },
  {
    title: 'Accounts, people and programs:',
    modules: [
      {
        commands: { accounts: ['', 'pause or resume an account, or find out how its service behaves'] },
        load: async () => (await import('./commands/accounts.ts')).addAccountsCommand,
      },
      {
        commands: { users: ['', 'manage who may sign in to the console'] },
        load: async () => (await import('./commands/users.ts')).addUsersCommand,
      },
      {
        commands: { tokens: ['', 'manage tokens for programs that use the API'] },
        load: async () => (await import('./commands/tokens.ts')).addTokensCommand,
      },
      {
        commands: { notify: ['[options]', 'show who is notified of what, or send a test message'] },
        load: async () => (await import('./commands/notify.ts')).addNotifyCommand,
      },
      {
        commands: {
          sync: ['[options]', 'show the webhooks that are sent changes, test them, or begin again'],
        },
        load: async () => (await import('./commands/sync.ts')).addSyncCommand,
      },
      {
        commands: { config: ['', 'print what cartwright.yaml may contain, for editors'] },
        load: async () => (await import('./commands/config.ts')).addConfigCommand,
      },
      {
        commands: { api: ['', 'print what programs can ask of the console'] },
        load: async () => (await import('./commands/api.ts')).addApiCommand,
      },
    ],
  },
  {
    title: 'Look after it:',
    modules: [
      {
        commands: { reload: ['', 'make running workers read their configuration again'] },
        load: async () => (await import('./commands/reload.ts')).addReloadCommand,
      },
      {
        commands: { backup: ['<file>', 'write a backup of the ledger into a file'] },
        load: async () => (await import('./commands/backup.ts')).addBackupCommand,
      },
      {
        commands: { restore: ['[options] <file>', 'restore a backup into an empty ledger'] },
        load: async () => (await import('./commands/backup.ts')).addRestoreCommand,
      },
      {
        commands: { prune: ['[options]', 'remove files and rows that are older than they are kept'] },
        load: async () => (await import('./commands/prune.ts')).addPruneCommand,
      },
      {
        commands: {
          'use-folder': ['[options]', 'use the folder on this machine for an account from now on'],
        },
        load: async () => (await import('./commands/use-folder.ts')).addUseFolderCommand,
      },
    ],
  },
  {
    title: 'Parts of `up`, each in a process of its own:',
    modules: [
      {
        commands: { watch: ['', 'pick up, read and answer purchase files, without placing orders'] },
        load: async () => (await import('./commands/workers.ts')).addWatchCommand,
      },
      {
        commands: { work: ['', 'place orders, poll and report, without watching inboxes'] },
        load: async () => (await import('./commands/workers.ts')).addWorkCommand,
      },
      {
        commands: { console: ['', 'serve the operators’ console, without doing any other work'] },
        load: async () => (await import('./commands/console.ts')).addConsoleCommand,
      },
      {
        commands: { service: ['[options]', 'run a dealer order service, as a sandbox to order from'] },
        load: async () => (await import('./commands/service.ts')).addServiceCommand,
      },
    ],
  },
];
