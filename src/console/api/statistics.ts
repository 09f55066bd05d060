import { statisticsAnswer, statisticsQuery } from '../../api-contract/statistics.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsWithWork } from '../known-accounts.ts';
import { sendCsv } from '../list-answers.ts';
import { collectStatistics, statisticsAccounts } from '../statistics.ts';
import { periodColumns, reasonColumns, reasonRows } from '../statistics-columns.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Orders');

/** Adds the statistics. */
export const addStatisticsRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, config } = deps;
  app.get(
    '/statistics',
    view('Orders, pieces, money, shipments and holds by day, week or month', statisticsAnswer, {
      querystring: statisticsQuery,
    }),
    async (request, reply) => {
      const { account, format, ...asked } = request.query;
      const now = new Date();
      const chosen = await accountsWithWork(deps, request, account);
      const accounts = statisticsAccounts(chosen, config.accounts, now);
      const answer = await collectStatistics(pool, accounts, asked, now);
      const whole = <Row>(items: readonly Row[]) => Promise.resolve({ items, next: null });
      if (format === 'csv')
        return sendCsv(reply, 'statistics', periodColumns, () => whole(answer.periods)) as never;
      if (format === 'reasons.csv')
        return sendCsv(reply, 'reasons', reasonColumns, () => whole(reasonRows(answer))) as never;
      return answer;
    },
  );
};
