import { z } from 'zod';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { accountsOf } from '../person.ts';
import { ConsoleProblem } from '../problems.ts';
import { accountName } from './schemas/basics.ts';
import { schedulesAnswer } from './schemas/schedules.ts';

/** Adds what happens by the clock. */
export const addScheduleRoutes = (app: ConsoleApp, { config, work }: ConsoleDeps): void => {
  app.get(
    '/schedules',
    {
      config: { needs: 'view' },
      schema: {
        summary: 'What happens by the clock: when it ran last, with what result, and when it runs next',
        tags: ['Today'],
        querystring: z.object({ account: accountName.optional() }),
        response: { 200: schedulesAnswer },
      },
    },
    async (request) => {
      const { account } = request.query;
      const allowed = accountsOf(request);
      const visible = config.accounts
        .map(({ name }) => name)
        .filter((name) => allowed?.includes(name) ?? true);
      if (account === undefined) return work.listAllSchedules(visible, { shared: allowed === null });
      if (!visible.includes(account))
        throw new ConsoleProblem('not_found', 'No account was found at this address.');
      return work.listAllSchedules([account], { shared: false });
    },
  );
};
