import type { Command } from 'commander';
import type { StatisticsAnswer } from '../../api-contract/statistics.ts';
import { csvText } from '../../console/list-answers.ts';
import { collectStatistics, statisticsAccounts } from '../../console/statistics.ts';
import { periodColumns, reasonColumns, reasonRows } from '../../console/statistics-columns.ts';
import { UserError } from '../../errors.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import { writeNewFile } from '../new-file.ts';
import { openPool } from '../open-pool.ts';
import { badOption, oneOf, urlOption } from '../option-text.ts';
import { drawStatistics } from '../output/statistics.ts';
import { runCommand } from '../run-command.ts';

interface StatisticsOptions {
  account?: string;
  months?: boolean;
  by?: string;
  within: string;
  reasons?: boolean;
  out?: string;
  url?: string;
}

const units = ['day', 'week', 'month'] as const;

const withinOf = (text: string): number => {
  if (/^\d{1,2}$/.test(text) && Number(text) <= 30) return Number(text);
  throw badOption(`--within must be a number of days from 0 to 30 (got ${text}).`);
};

const textOf = (answer: StatisticsAnswer, reasons: boolean): string =>
  reasons ? csvText(reasonColumns, reasonRows(answer)) : csvText(periodColumns, answer.periods);

export const addStatisticsCommand = (program: Command): void => {
  program
    .command('statistics')
    .description(
      'Shows by day, week or month what was ordered and what it cost, the share that shipped in time, what was on back-order or late, and why POs were held or failed. A running worker counts once a minute, and the figures stay when old rows are removed. Read-only.',
    )
    .option('--account <name>', 'only this account')
    .option('--months', 'the last 13 months in place of the last 90 days')
    .option('--by <unit>', `${units.join(', ')} (default: week)`)
    .option('--within <days>', 'in how many days an order is to ship', '3')
    .option('--reasons', 'with --out: why POs were held or failed, in place of the orders')
    .option('--out <file>', 'write the figures into this .csv file')
    .option(...urlOption)
    .addHelpText(
      'after',
      `
Examples:
  cartwright statistics                               the last 90 days by week
  cartwright statistics --account north --by day
  cartwright statistics --months --by month --within 1
  cartwright statistics --months --out 2026.csv
  cartwright statistics --by day --reasons --out held.csv`,
    )
    .action(
      runCommand<StatisticsOptions>('task', async (context, _, { account, months, out, url, ...options }) => {
        const { config, terminal } = context;
        const span = months ? '13m' : '90d';
        const by = oneOf('--by', options.by ?? 'week', units);
        const within = withinOf(options.within);
        if (options.reasons && out === undefined)
          throw badOption(
            '--reasons says what --out writes. Add --out FILE; the reasons are listed below the figures without it.',
          );
        if (out !== undefined && !out.toLowerCase().endsWith('.csv'))
          throw new UserError('format_unclear', `The name ${out} must end in .csv (--out).`);
        const read = async (): Promise<StatisticsAnswer> => {
          if (url !== undefined) {
            const { callConsole } = await import('../remote/call-console.ts');
            return callConsole(url).get('/statistics', { account, span, by, within: String(within) });
          }
          const names = chooseAccounts(config, account).map(({ name }) => name);
          const now = new Date();
          const accounts = statisticsAccounts(names, config.accounts, now);
          return collectStatistics(
            await openPool(context, openLedgerToRead),
            accounts,
            { span, by, within },
            now,
          );
        };
        const answer = await read();
        if (out !== undefined) await writeNewFile(out, textOf(answer, options.reasons ?? false));
        terminal.answer(out === undefined ? answer : { file: out, periods: answer.periods.length });
        terminal.say(out === undefined ? drawStatistics(terminal, answer) : `Wrote the figures into ${out}.`);
      }),
    );
};
