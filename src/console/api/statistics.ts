import { chooseAccounts } from '../choose-accounts.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { sendCsv } from '../send-csv.ts';
import { collectStatistics, statisticsAccounts } from '../statistics.ts';
import { periodColumns, reasonColumns, reasonRows } from '../statistics-columns.ts';
import { statisticsAnswer, statisticsQuery } from './schemas/statistics.ts';

/** Adds the statistics. */
export const addStatisticsRoutes = (app: ConsoleApp, { pool, config }: ConsoleDeps): void => {
  app.get(
    '/statistics',
    {
      config: { needs: 'view' },
      schema: {
        summary: 'Orders, pieces, money, shipments and holds by day, week or month',
        tags: ['Orders'],
        querystring: statisticsQuery,
        response: { 200: statisticsAnswer },
      },
    },
    async (request, reply) => {
      const { account, format, ...asked } = request.query;
      const now = new Date();
      const chosen = await chooseAccounts(pool, config, request, account);
      const accounts = statisticsAccounts(chosen, config.accounts, now);
      const answer = await collectStatistics(pool, accounts, asked, now);
      if (format === 'csv')
        return sendCsv(reply, 'statistics', periodColumns, async () => ({
          items: answer.periods,
          next: null,
        })) as never;
      if (format === 'reasons.csv')
        return sendCsv(reply, 'reasons', reasonColumns, async () => ({
          items: reasonRows(answer),
          next: null,
        })) as never;
      return answer;
    },
  );
};
