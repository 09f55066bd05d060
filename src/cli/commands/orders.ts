import { extname } from 'node:path';
import type { Command } from 'commander';
import type pg from 'pg';
import type { OrdersAnswer } from '../../api-contract/orders.ts';
import { orderAccounts, summariseOrder } from '../../console/order-summary.ts';
import { UserError } from '../../errors.ts';
import { listOrders, reportOrders, sumOrders } from '../../ledger/orders/list-orders.ts';
import {
  type OrderAccount,
  type OrderFilter,
  type OrderSort,
  orderSorts,
} from '../../ledger/orders/order-filter.ts';
import { writeOrders } from '../../reports/write-orders.ts';
import { openLedgerToRead } from '../../worker/open-ledger.ts';
import { chooseAccounts } from '../choose-account.ts';
import type { ExitCode } from '../exit-codes.ts';
import { assertNewFile } from '../new-file.ts';
import { openPool } from '../open-pool.ts';
import { badOption, dayOptions, oneOf, urlOption } from '../option-text.ts';
import { drawOrders } from '../output/orders.ts';
import type { Terminal } from '../output/terminal.ts';
import { runCommand } from '../run-command.ts';

interface OrdersOptions {
  account?: string;
  status?: string;
  late?: boolean;
  backOrdered?: boolean;
  noTracking?: boolean;
  alarm?: boolean;
  day: string;
  from?: string;
  to?: string;
  sort?: string;
  oldest?: boolean;
  limit: string;
  out?: string;
  url?: string;
}

const mostShown = 200;
const mostExported = 100_000;

const limitOf = (text: string): number => {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostShown)
    throw badOption(
      `--limit must be a number from 1 to ${mostShown} (got ${text}). --out writes all of them into a file.`,
    );
  return limit;
};

const filterOf = (number: string | undefined, options: OrdersOptions) => {
  const day = oneOf('--day', options.day, ['ordered', 'shipped', 'invoiced']);
  const { from, to } = dayOptions(options);
  const filter: OrderFilter = {
    q: number,
    status: options.status?.split(',').map((one) => one.trim()),
    late: options.late,
    backordered: options.backOrdered,
    untracked: options.noTracking,
    alarm: options.alarm,
    [`${day}From`]: from,
    [`${day}To`]: to,
  };
  const sort: OrderSort = options.sort === undefined ? day : oneOf('--sort', options.sort, orderSorts);
  return { filter, sort, order: options.oldest ? 'oldest' : 'newest' } as const;
};

const formatOf = (out: string): 'csv' | 'xlsx' => {
  const ending = extname(out).toLowerCase();
  if (ending === '.csv' || ending === '.xlsx') return ending === '.csv' ? 'csv' : 'xlsx';
  throw new UserError('format_unclear', `The name ${out} must end in .csv or .xlsx (--out).`);
};

type FoundOrders = Pick<OrdersAnswer, 'items' | 'total' | 'sum' | 'withoutTotal'>;

const show = (terminal: Terminal, { items, total, sum, withoutTotal }: FoundOrders): ExitCode => {
  terminal.answer({ orders: items, total, sum, withoutTotal });
  terminal.say(drawOrders(terminal, { items, total, sum, withoutTotal }));
  return 'fine';
};

const readHere = async (
  pool: pg.Pool,
  { filter, sort, order }: ReturnType<typeof filterOf>,
  accounts: readonly OrderAccount[],
  limit: number,
): Promise<FoundOrders> => {
  const rows = await listOrders(pool, filter, { sort, order, limit }, accounts);
  const { count: total, sum, withoutTotal } = await sumOrders(pool, filter, accounts);
  const now = new Date();
  return { items: rows.map((row) => summariseOrder(row, accounts, now)), total, sum, withoutTotal };
};

export const addOrdersCommand = (program: Command): void => {
  program
    .command('orders')
    .description(
      'Lists the orders at the service as the last status check read them (`cartwright poll` reads them now): status, shipment, tracking, pieces and total. With --out it writes all that match into a CSV file or a workbook. Read-only.',
    )
    .argument('[number]', 'beginning of a PO, order, invoice or tracking number')
    .option('--account <name>', 'only this account')
    .option('--status <names>', 'only these statuses, separated by commas, such as "B/O,Picking"')
    .option('--late', 'only orders that have not shipped for longer than the account’s lateAfter')
    .option('--back-ordered', 'only orders with pieces on back-order')
    .option('--no-tracking', 'only orders that have shipped without a tracking number')
    .option('--alarm', 'only orders that differ from their file')
    .option('--day <which>', 'the day of --from and --to: ordered, shipped or invoiced', 'ordered')
    .option('--from <day>', 'only from this day on, such as 2026-11-01')
    .option('--to <day>', 'only until this day')
    .option('--sort <by>', `${orderSorts.join(', ')} (default: as --day)`)
    .option('--oldest', 'the earliest or smallest first')
    .option('--limit <number>', `list at most so many, up to ${mostShown}`, '50')
    .option('--out <file>', 'write all that match into this .csv or .xlsx file')
    .option(...urlOption)
    .addHelpText(
      'after',
      `
Examples:
  cartwright orders --late                          what has not shipped
  cartwright orders --back-ordered --account north
  cartwright orders 1Z999AA1                        whose parcel is this
  cartwright orders --day shipped --from 2026-11-01 --out november.xlsx`,
    )
    .action(
      runCommand<OrdersOptions & { tracking: boolean }>(
        'task',
        async (context, [number], { tracking, ...given }) => {
          const { config, terminal } = context;
          const options = { ...given, ...(tracking ? {} : { noTracking: true }) };
          const asked = filterOf(number, options);
          const limit = limitOf(options.limit);
          if (options.url !== undefined) {
            if (options.out !== undefined)
              throw badOption(
                '--url lists orders only. Remove --out; the console’s page Orders has them as CSV and as a workbook.',
              );
            const { callConsole } = await import('../remote/call-console.ts');
            const { filter, sort, order } = asked;
            const query = { ...filter, account: options.account, sort, order, limit };
            return show(terminal, await callConsole(options.url).get<FoundOrders>('/orders', query));
          }
          const names = chooseAccounts(config, options.account).map(({ name }) => name);
          const accounts = orderAccounts(names, config.accounts);
          const pool = await openPool(context, openLedgerToRead);
          if (options.out !== undefined) {
            const format = formatOf(options.out);
            assertNewFile(options.out);
            const pages = reportOrders(pool, asked.filter, asked, accounts, mostExported);
            const only =
              accounts.length === 1 ? config.accounts.find(({ name }) => name === names[0]) : undefined;
            const count = await writeOrders(options.out, format, pages, {
              timeZone: only?.schedule.timeZone ?? 'UTC',
              rules: accounts,
            });
            terminal.answer({ file: options.out, format, orders: count });
            terminal.say(
              count < mostExported
                ? `Wrote ${count === 1 ? '1 order' : `${count} orders`} into ${options.out}.`
                : `Wrote the first ${count} orders into ${options.out}. Narrow the filters for the others.`,
            );
            return 'fine';
          }
          return show(terminal, await readHere(pool, asked, accounts, limit));
        },
      ),
    );
};
