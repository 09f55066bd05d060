import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { accountQuery } from '../../api-contract/basics.ts';
import {
  orderFacets,
  ordersAnswer,
  ordersQuery,
  refreshAnswer,
  refreshRequest,
} from '../../api-contract/orders.ts';
import { findChosen } from '../../ledger/console/targets.ts';
import {
  countOrders,
  listOrders,
  listReportedOrders,
  reportOrders,
  sumOrders,
} from '../../ledger/orders/list-orders.ts';
import type { OrderAccount, OrderSort } from '../../ledger/orders/order-filter.ts';
import type { OrderPage } from '../../ledger/orders/page-of-orders.ts';
import { type AccountOrder, accountOrderColumns } from '../../reports/order-columns.ts';
import { orderStatusMeaning } from '../../reports/order-status-meaning.ts';
import { isNumeric } from '../../reports/status-report.ts';
import { writeWorkbook } from '../../reports/workbook/write-workbook.ts';
import { accountOrdersSheet } from '../../reports/write-orders.ts';
import { attachment } from '../attachment.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsWithWork } from '../known-accounts.ts';
import { type CsvColumn, pageOf, sendCsv, wrongCursor } from '../list-answers.ts';
import { orderAccounts, summariseOrder } from '../order-summary.ts';
import { accountsOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { routesOf } from './routes-of.ts';

const { act, view } = routesOf('Orders');
const exportedAtOnce = 500;
const mostExported = 100_000;

const csvColumns: readonly CsvColumn<AccountOrder>[] = accountOrderColumns.map((column) => ({
  head: column.header,
  read: column.read,
  numeric: isNumeric(column),
}));

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;

/** The position at which a page begins. @throws ConsoleProblem `invalid` for a cursor that the console did not give for this order */
const positionOf = (cursor: string | undefined, sort: OrderSort): OrderPage['after'] => {
  if (cursor === undefined) return undefined;
  const [, key = '', id] = /^(.{1,60})~(\d{1,18})$/.exec(cursor) ?? [];
  const fits =
    key.toLowerCase() === '-infinity' || (sort === 'total' ? /^-?\d+(?:\.\d+)?$/.test(key) : isDay(key));
  if (id === undefined || !fits) throw wrongCursor();
  return { key, id };
};

const cursorOf = ({ key, id }: { key: string; id: string }): string => `${key}~${id}`;

/** Adds the list of orders. */
export const addOrderRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, config, work } = deps;
  /** The accounts that a person may see. */
  const accountsFor = async (request: FastifyRequest, named: string | undefined): Promise<OrderAccount[]> =>
    orderAccounts(await accountsWithWork(deps, request, named), config.accounts);
  const sendWorkbook = (
    reply: FastifyReply,
    pages: AsyncIterable<AccountOrder[]>,
    accounts: readonly OrderAccount[],
  ): FastifyReply => {
    const only =
      accounts.length === 1 ? config.accounts.find(({ name }) => name === accounts[0]!.account) : undefined;
    const sheet = accountOrdersSheet(pages, { timeZone: only?.schedule.timeZone ?? 'UTC', rules: accounts });
    const target = new PassThrough();
    writeWorkbook(target, [sheet], 0).catch((error) => target.destroy(error));
    attachment(reply, 'orders.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    return reply.send(target);
  };

  app.get(
    '/orders',
    view('Orders by filters, with what the service last showed', ordersAnswer, { querystring: ordersQuery }),
    async (request, reply) => {
      const { cursor, limit, format, sort, order, account, ...filter } = request.query;
      const accounts = await accountsFor(request, account);
      if (format === 'xlsx')
        return sendWorkbook(
          reply,
          reportOrders(pool, filter, { sort, order }, accounts, mostExported),
          accounts,
        ) as never;
      if (format === 'csv')
        return sendCsv(reply, 'orders', csvColumns, async (after) => {
          const page = { sort, order, after: positionOf(after, sort), limit: exportedAtOnce + 1 };
          return pageOf(await listReportedOrders(pool, filter, page, accounts), exportedAtOnce, cursorOf);
        }) as never;
      const [rows, { count, sum, withoutTotal }] = await Promise.all([
        listOrders(
          pool,
          filter,
          { sort, order, after: positionOf(cursor, sort), limit: limit + 1 },
          accounts,
        ),
        sumOrders(pool, filter, accounts),
      ]);
      const now = new Date();
      const page = pageOf(rows, limit, cursorOf);
      return {
        items: page.items.map((row) => summariseOrder(row, accounts, now)),
        next: page.next,
        total: count,
        sum,
        withoutTotal,
      };
    },
  );

  app.post(
    '/orders/refresh',
    act('Ask the service for the orders of some purchase orders now', refreshAnswer, {
      body: refreshRequest,
    }),
    async (request) => {
      const { purchaseOrderIds } = request.body;
      const chosen = await findChosen(pool, purchaseOrderIds, accountsOf(request));
      if (chosen.length < new Set(purchaseOrderIds).size)
        throw new ConsoleProblem(
          'not_found',
          'Some of these purchase orders do not exist, or belong to another account.',
        );
      const sentences: string[] = [];
      let changes = 0;
      for (const account of new Set(chosen.map((po) => po.account))) {
        const numbers = chosen.filter((po) => po.account === account).map(({ poNumber }) => poNumber);
        const { done, sentence, changes: found } = await work.refreshOrders(account, [...new Set(numbers)]);
        if (!done) throw new ConsoleProblem('not_possible', [...sentences, sentence].join(' '));
        sentences.push(sentence);
        changes += found;
      }
      return { sentence: sentences.join(' '), changes };
    },
  );

  app.get(
    '/orders/facets',
    view(
      'Orders by status, and how many are late, back-ordered, without tracking, or differ from their file',
      orderFacets,
      { querystring: accountQuery },
    ),
    async (request) => {
      const { statuses, flags } = await countOrders(pool, await accountsFor(request, request.query.account));
      return {
        ...flags,
        statuses: statuses.map((one) => ({ ...one, meaning: orderStatusMeaning(one.status) })),
      };
    },
  );
};
