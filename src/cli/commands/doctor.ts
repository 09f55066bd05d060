import type { Command } from 'commander';
import { mapAtOnce } from '../../at-once.ts';
import type { Account, Config } from '../../config/config.ts';
import { describeSettings } from '../../config/describe-settings.ts';
import { configSchema } from '../../config/schema.ts';
import { type KnownFolder, listFoldersInUse } from '../../ledger/account-folders.ts';
import { chooseAccounts } from '../choose-account.ts';
import { checkAccountFolder } from '../doctor/check-account-folder.ts';
import { checkAccountSchedule } from '../doctor/check-account-schedule.ts';
import { checkAccountService } from '../doctor/check-account-service.ts';
import { checkAccountSftp } from '../doctor/check-account-sftp.ts';
import { checkBackup } from '../doctor/check-backup.ts';
import { checkConfiguration } from '../doctor/check-configuration.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkNotifications } from '../doctor/check-notifications.ts';
import { checkQueue } from '../doctor/check-queue.ts';
import { listSchedules, listShared } from '../doctor/list-schedules.ts';
import { exitCodes } from '../exit-codes.ts';
import { type DoctorReport, drawDoctorReport } from '../output/doctor.ts';
import { runCommand } from '../run-command.ts';

/** Number of accounts whose service and folder are checked concurrently. */
const atOnce = 8;

/** The global settings and those of these accounts, without secrets. */
const listSettings = (config: Config, accounts: readonly Account[]) => {
  const names = new Set(accounts.map(({ name }) => name));
  return describeSettings(config).filter(({ name }) => {
    const [section, account] = name.split('.');
    return section !== 'accounts' || names.has(account!);
  });
};

const listDefaults = ({ accounts }: Config): Set<string> => {
  const defaults = configSchema.parse({
    accounts: Object.fromEntries(accounts.map(({ name }) => [name, {}])),
  });
  return new Set(
    describeSettings({ settings: defaults, databaseUrl: undefined, redisUrl: undefined }).map(
      ({ name, value }) => `${name}=${value}`,
    ),
  );
};

export const addDoctorCommand = (program: Command): void => {
  program
    .command('doctor')
    .description(
      `Looks at the configuration, the database, Redis, notifications, backups, and each account's service, folder, SFTP server and schedules, and shows the effective settings without secrets. It changes and orders nothing: at a service it lists today's orders and looks up a PO number that does not exist; at an SFTP server it writes a hidden file in each folder and removes it. Exits with code ${exitCodes.notAllDone.code} if a person has to do something.`,
    )
    .option('--account <name>', 'check only this account')
    .addHelpText(
      'after',
      `
Examples:
  cartwright doctor
  cartwright doctor --account north
  cartwright doctor --json | jq '.findings[] | select(.level == "problem")'`,
    )
    .action(
      runCommand<{ account?: string; verbose?: boolean }>(
        'task',
        async (context, _args, { account, verbose }) => {
          const { config, logger, terminal } = context;
          const accounts = chooseAccounts(config, account);
          const now = new Date();
          const database = await checkDatabase(context);
          const known = database.ledger
            ? await listFoldersInUse(
                database.ledger.pool,
                accounts.map(({ name }) => name),
              )
            : new Map<string, KnownFolder>();
          const sections: DoctorReport['sections'] = [
            { title: 'Configuration', findings: await checkConfiguration(config) },
            { title: 'Database', findings: database.findings },
            { title: 'Queue', findings: await checkQueue(config, logger) },
            {
              title: 'Notifications',
              findings: await checkNotifications(config),
              schedules: listShared(config, ['summary'], now),
            },
            {
              title: 'Backup',
              findings: await checkBackup(config),
              schedules: listShared(config, ['backup', 'prune'], now),
            },
            ...(await mapAtOnce(accounts, atOnce, async (one) => ({
              title: `Account ${one.name}`,
              findings: [
                ...(await checkAccountService(one)),
                ...(await checkAccountFolder(one, known.get(one.name))),
                ...(await checkAccountSftp(one)),
                ...checkAccountSchedule(one, now),
              ].map((finding) => ({ ...finding, account: one.name })),
              schedules: listSchedules(one, now),
            }))),
          ];
          const described = listSettings(config, accounts);
          const settings = described.map(({ name, value }) => ({ name, value }));
          const findings = sections.flatMap((section) => section.findings);
          const healthy = findings.every(({ level }) => level !== 'problem');
          terminal.answer({
            healthy,
            findings,
            schedules: sections.flatMap(({ schedules = [] }) => schedules),
            settings,
          });
          const defaults = listDefaults(config);
          const changed = described.filter(
            ({ name, value, isDefault }) => !isDefault && !defaults.has(`${name}=${value}`),
          );
          terminal.say(
            drawDoctorReport(terminal, {
              sections,
              settings: verbose ? settings : changed,
              shownSettings: verbose ? 'all' : 'changed',
            }),
          );
          return healthy ? 'fine' : 'notAllDone';
        },
        { whileBroken: true },
      ),
    );
};
