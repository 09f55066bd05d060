import type { Command } from 'commander';
import { actionCommands } from './action-commands.ts';

/** Adds a command to the program. */
type AddCommand = (program: Command, name: string) => void;

const operatorCommands = Object.fromEntries(
  actionCommands.map(({ name, summary }) => [name, ['[options] [po...]', summary]] as const),
);

/** Every command with arguments and summary, grouped and ordered as in the help. */
export const groups: Record<string, Record<string, readonly [args: string, summary: string]>> = {
  'Try it, set it up and run it:': {
    demo: ['[options]', 'try it out: sample files become orders at a sandbox'],
    init: ['[options]', 'write a first configuration, asking what it needs'],
    up: ['[options]', 'watch inboxes, place orders, poll and report, all in one process'],
    doctor: ['[options]', 'check the installation and say what to do about each problem'],
  },
  'See what is going on:': {
    status: ['[options] [po]', 'show accounts, imports and workers, or one PO'],
    orders: ['[options] [number]', 'list orders: has it shipped, what is on back-order, what did it cost'],
    statistics: [
      '[options]',
      'show how it is going: orders, pieces, money, shipments, holds by day, week or month',
    ],
    report: ['[options]', 'write status reports now'],
    poll: ['[options]', 'fetch order statuses now'],
    schedule: ['[options]', 'list scheduled tasks, or run one now'],
  },
  'Purchase files:': {
    import: ['[options] <files...>', 'import purchase files'],
    map: ['[options] [file]', 'propose what the columns of a purchase file mean'],
    layouts: ['', 'list, show, export, apply and remove layouts'],
    answer: ['[options] [id] [answer] [number]', 'list questions about values that are new, or answer one'],
    template: ['[options]', 'write a template for purchase files'],
  },
  'Decide about purchase orders:': operatorCommands,
  'Accounts, people and programs:': {
    accounts: ['', 'pause or resume an account, or find out how its service behaves'],
    users: ['', 'manage who may sign in to the console'],
    tokens: ['', 'manage tokens for programs that use the API'],
    notify: ['[options]', 'show who is notified of what, or send a test message'],
    sync: ['[options]', 'show the webhooks that are sent changes, test them, or begin again'],
    config: ['', 'print what cartwright.yaml may contain, for editors'],
    api: ['', 'print what programs can ask of the console'],
  },
  'Look after it:': {
    reload: ['', 'make running workers read their configuration again'],
    backup: ['<file>', 'write a backup of the ledger into a file'],
    restore: ['[options] <file>', 'restore a backup into an empty ledger'],
    prune: ['[options]', 'remove files and rows past their retention period'],
    'use-folder': ['[options]', 'use the folder on this machine for an account from now on'],
  },
  'Parts of `up`, each in a process of its own:': {
    watch: ['', 'pick up, read and answer purchase files, without placing orders'],
    work: ['', 'place orders, poll and report, without watching inboxes'],
    console: ['', 'serve the operators’ console, without doing any other work'],
    service: ['[options]', 'run a dealer order service, as a sandbox to order from'],
  },
};

/** The modules that add commands, each loaded only when it is needed. */
const modules: Record<string, () => Promise<AddCommand>> = {
  demo: async () => (await import('./commands/demo.ts')).addDemoCommand,
  init: async () => (await import('./commands/init.ts')).addInitCommand,
  up: async () => (await import('./commands/workers.ts')).addUpCommand,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  status: async () => (await import('./commands/status.ts')).addStatusCommand,
  orders: async () => (await import('./commands/orders.ts')).addOrdersCommand,
  statistics: async () => (await import('./commands/statistics.ts')).addStatisticsCommand,
  report: async () => (await import('./commands/report.ts')).addReportCommand,
  poll: async () => (await import('./commands/poll.ts')).addPollCommand,
  schedule: async () => (await import('./commands/schedule.ts')).addScheduleCommand,
  import: async () => (await import('./commands/import.ts')).addImportCommand,
  map: async () => (await import('./commands/map.ts')).addMapCommand,
  layouts: async () => (await import('./commands/layouts.ts')).addLayoutsCommand,
  answer: async () => (await import('./commands/answer.ts')).addAnswerCommand,
  template: async () => (await import('./commands/template.ts')).addTemplateCommand,
  accounts: async () => (await import('./commands/accounts.ts')).addAccountsCommand,
  users: async () => (await import('./commands/users.ts')).addUsersCommand,
  tokens: async () => (await import('./commands/tokens.ts')).addTokensCommand,
  notify: async () => (await import('./commands/notify.ts')).addNotifyCommand,
  sync: async () => (await import('./commands/sync.ts')).addSyncCommand,
  config: async () => (await import('./commands/config.ts')).addConfigCommand,
  api: async () => (await import('./commands/api.ts')).addApiCommand,
  reload: async () => (await import('./commands/reload.ts')).addReloadCommand,
  backup: async () => (await import('./commands/backup.ts')).addBackupCommand,
  restore: async () => (await import('./commands/backup.ts')).addRestoreCommand,
  prune: async () => (await import('./commands/prune.ts')).addPruneCommand,
  'use-folder': async () => (await import('./commands/use-folder.ts')).addUseFolderCommand,
  watch: async () => (await import('./commands/workers.ts')).addWatchCommand,
  work: async () => (await import('./commands/workers.ts')).addWorkCommand,
  console: async () => (await import('./commands/console.ts')).addConsoleCommand,
  service: async () => (await import('./commands/service.ts')).addServiceCommand,
};

/** Loads the function that adds the command of this name. */
export const loadCommand = async (name: string): Promise<AddCommand> =>
  modules[name]?.() ?? (await import('./commands/operator-actions.ts')).addOperatorCommand;
